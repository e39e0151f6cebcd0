const COUNT = new Intl.NumberFormat('en');

/** A number as people write it. */
export function numeral(n: number): string {
  return COUNT.format(n);
}

/** A number of things, as `1,200 viewers`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(n)} ${n === 1 ? one : many}`;
}
