import type { FaultKind, FaultOrder } from '../faults.ts';
import type { Pictures } from '../twitch/pictures/addresses.ts';
import type { KickWorld } from './channels.ts';
import { Refusal } from '../refusal.ts';

/** What an endpoint works with. */
export interface KickRequest {
  readonly world: KickWorld;
  readonly query: URLSearchParams;
  /** The instant that the answer is true of. */
  readonly nowMs: number;
  readonly pictures: Pictures;
  /** Uses up a fault that is in force for this request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** The values of a parameter that may be repeated. */
export function valuesOf(query: URLSearchParams, name: string, most: number): readonly string[] {
  const values = query.getAll(name);
  if (values.length > most) throw invalid();
  return values;
}

/** The same where they are numbers. */
export function numbersOf(query: URLSearchParams, name: string, most: number): readonly number[] {
  return valuesOf(query, name, most).map((value) => {
    if (!/^\d+$/.test(value)) throw invalid();
    return Number(value);
  });
}

export function invalid(): Refusal {
  return new Refusal(400, 'Invalid request');
}

/** An instant as Kick writes it. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
