import type { Sample } from '#src/admin/queries/records.ts';

/** Counts of values in fixed buckets, one series for each combination of labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** The count of each bucket, then the count above all bounds, then the sum of the values. */
  readonly #series = new Map<string, Float64Array>();

  /** `bounds`: the upper bounds of the buckets, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(series: string, value: number): void {
    const counts = this.#series.get(series) ?? this.#add(series);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? Infinity)) bucket++;
    add(counts, bucket, 1);
    add(counts, this.#bounds.length + 1, value);
  }

  /** The samples of all series, with the labels of each. */
  samples(labelsOf: (series: string) => Readonly<Record<string, string>>): readonly Sample[] {
    return [...this.#series].flatMap(([series, counts]) => {
      const labels = labelsOf(series);
      let count = 0;
      const buckets = [...this.#bounds, Infinity].map((bound, bucket): Sample => {
        count += counts[bucket] ?? 0;
        return { suffix: '_bucket', labels: { ...labels, le: bound === Infinity ? '+Inf' : String(bound) }, value: count };
      });
      return [
        ...buckets,
        { suffix: '_sum' as const, labels, value: counts[this.#bounds.length + 1] ?? 0 },
        { suffix: '_count' as const, labels, value: count },
      ];
    });
  }

  #add(series: string): Float64Array {
    const counts = new Float64Array(this.#bounds.length + 2);
    this.#series.set(series, counts);
    return counts;
  }
}

/** Counts of events by two labels. */
export class Counter {
  readonly #counts = new Map<string, Map<string, number>>();

  add(series: string, kind: string, count = 1): void {
    const counts = this.#counts.get(series) ?? new Map<string, number>();
    this.#counts.set(series, counts);
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }

  samples(labelsOf: (series: string, kind: string) => Readonly<Record<string, string>>): readonly Sample[] {
    return [...this.#counts].flatMap(([series, counts]) =>
      [...counts].map(([kind, value]): Sample => ({ labels: labelsOf(series, kind), value })),
    );
  }
}

function add(counts: Float64Array, index: number, value: number): void {
  counts[index] = (counts[index] ?? 0) + value;
}
