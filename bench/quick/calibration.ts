import { medianOf } from '../median.ts';

/** The CPU time of this process for a piece of work, in milliseconds. */
export async function cpuMsFor(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const ROUNDS = 120;
const RECORDS = 400;

/** A fixed piece of work of about 100 ms: records through JSON, a map, a sort and texts. Figures without a peer are ratios to it. */
export function calibrate(): number {
  let sum = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const records = Array.from({ length: RECORDS }, (_, index) => ({
      id: `${round}-${index}`,
      value: (index * 7919) % 1009,
      tags: ['a', 'b'],
    }));
    const copies = JSON.parse(JSON.stringify(records)) as typeof records; // a copy has the same type
    const byId = new Map(copies.map((copy) => [copy.id, copy]));
    const sorted = copies.toSorted((a, b) => a.value - b.value || (a.id < b.id ? -1 : 1));
    sum += sorted.filter(({ id }) => (byId.get(id)?.value ?? 0) % 2 === 0).reduce((total, { id, value }) => total + value + id.length, 0);
  }
  return sum;
}

/** The median of several measurements, each divided by the calibration just before it: both are disturbed by the same other load. */
export async function ratioToCalibration(measure: () => Promise<number>, rounds: number): Promise<number> {
  calibrate();
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const calibrationMs = await cpuMsFor(calibrate);
    ratios.push((await measure()) / calibrationMs);
  }
  return medianOf(ratios);
}
