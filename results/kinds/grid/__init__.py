"""What the kind of grids and their comparison share: lines, charts and words of a grid."""
