/** Splits the values into lists of at most `size`, for requests that take a limited number of values. */
export function batchesOf<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
}
