// Order of the search results. Sphinx gives the same score to all pages that contain a word
// once or often, and orders them by title. Here a page is first if one of its headings has all
// words of the query, or the query itself; then guides come before examples, reference and
// measurements.
const FOLDERS = [
  [/^conformance\//, -20],
  [/\/index$|^start\/glossary$|^contributing$|^whats_new$/, -2],
  [/^how_to\/(integrations|warnings)$/, 2],
  [/^how_to\/|^start\//, 3],
  [/^tools$/, 2],
  [/^auto_examples\//, 1],
  [/^validation\//, -1],
];

const queryText = () => new URLSearchParams(window.location.search).get("q") || "";

const stemsOf = (text) => {
  const stemmer = new Stemmer();
  return splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word));
};

// Largest share of the words of the query that stand in one of the headings.
const shareIn = (headings) => {
  const words = stemsOf(queryText()).filter((word) => !stopwords.has(word));
  return Math.max(
    0,
    ...headings.map((heading) => {
      const found = new Set(stemsOf(heading));
      return words.filter((word) => found.has(word)).length / (words.length || 1);
    }),
  );
};

var Scorer = {
  score: ([name, title, anchor, description, score, file, kind]) => {
    const prior = (FOLDERS.find(([pattern]) => pattern.test(name)) || [null, 0])[1];
    if (kind !== SearchResultKind.text) return score + prior;
    const page = Search._index.docnames.indexOf(name);
    const headings = Object.entries(Search._index.alltitles)
      .filter(([, places]) => places.some(([number]) => number === page))
      .map(([heading]) => heading);
    const phrase = queryText().toLowerCase().trim();
    const share = shareIn(headings);
    const literal =
      share === 1 && headings.some((heading) => heading.toLowerCase().includes(phrase));
    return Scorer.term + 8 * share + 2 * shareIn([title]) + 3 * literal + prior;
  },

  // The scores of Sphinx.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
