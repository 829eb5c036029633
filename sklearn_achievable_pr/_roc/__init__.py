"""ROC curves in counts: sorting, counting, hull, interpolation and integrals."""
