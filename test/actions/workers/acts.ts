import { fc } from '../../support/property.ts';
import type { ExpectedChange, ExpectedState } from './expected-state.ts';

/** What a person asks a worker for. Instants and ids are those that the person saw. */
export type Request =
  | { readonly kind: 'pause'; readonly untilMs: number }
  | { readonly kind: 'plan'; readonly fromMs: number; readonly untilMs: number }
  | { readonly kind: 'resume' | 'cancelPlans' | 'run' }
  | { readonly kind: 'deleteList' }
  | { readonly kind: 'setValue'; readonly value: number }
  | { readonly kind: 'publish'; readonly after: number; readonly source: string }
  | { readonly kind: 'setChannel'; readonly channel: string }
  | { readonly kind: 'setPings'; readonly pings: readonly string[]; readonly expected: readonly string[] }
  | { readonly kind: 'add'; readonly entry: string; readonly line: string }
  | { readonly kind: 'remove'; readonly entry: string }
  | { readonly kind: 'change'; readonly entry: string; readonly line: string; readonly expected: string }
  | { readonly kind: 'undo'; readonly change: ExpectedChange }
  | { readonly kind: 'queue'; readonly post: string; readonly text: string }
  | { readonly kind: 'edit'; readonly post: string; readonly text: string; readonly edits: number }
  | { readonly kind: 'move'; readonly post: string; readonly atMs: number }
  | { readonly kind: 'cancel'; readonly post: string };

/** An act before its turn: the worker, and a number that chooses from what exists then. */
export interface Act {
  readonly worker: 0 | 1;
  readonly kind: Request['kind'];
  readonly number: number;
}

/** Acts at the same moment, and what comes after them. */
export interface Round {
  readonly acts: readonly Act[];
  readonly minutes: number;
  /** The worker that restarts. */
  readonly restarts: 0 | 1 | undefined;
}

/** The acts on one thing: people only meet on the same one. */
const TOPICS: readonly (readonly Request['kind'][])[] = [
  ['pause', 'plan', 'resume', 'cancelPlans', 'run', 'setValue'],
  ['setValue', 'run', 'publish'],
  ['setChannel', 'setPings'],
  ['add', 'remove', 'change', 'undo', 'deleteList'],
  ['add', 'undo', 'deleteList'],
  ['queue', 'edit', 'move', 'cancel'],
];

const worker = fc.constantFrom(0 as const, 1 as const);

const someRound: fc.Arbitrary<Round> = fc.constantFrom(...TOPICS).chain((kinds) =>
  fc.record({
    acts: fc.array(fc.record({ worker, kind: fc.constantFrom(...kinds), number: fc.nat(99) }), { minLength: 1, maxLength: 4, size: 'max' }),
    minutes: fc.constantFrom(0, 0, 3, 20),
    restarts: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: worker }),
  }),
);

export const someRounds: fc.Arbitrary<readonly Round[]> = fc.array(someRound, { minLength: 8, maxLength: 20, size: 'max' });

const MINUTE_MS = 60_000;
const ENTRIES = ['ada', 'grace', 'linus'];
const ROLES = ['300000000000000011', '300000000000000012', '300000000000000013'];

interface Seen {
  readonly state: ExpectedState;
  readonly changes: readonly ExpectedChange[];
  readonly nowMs: number;
  /** Differs between requests. */
  readonly serial: number;
}

/** The request of a person who saw a state; undefined: nothing fits. */
export function requestOf({ kind, number }: Act, { state, changes, nowMs, serial }: Seen): Request | undefined {
  const entry = pick(ENTRIES, number) ?? '';
  const post = pick(Object.keys(state.posts), number);
  // Half a minute keeps all ends apart from the steps of the clock.
  const inMs = nowMs + ((number % 3) + 1) * 4 * MINUTE_MS + MINUTE_MS / 2;
  switch (kind) {
    case 'pause':
      return { kind, untilMs: number % 4 === 0 ? Infinity : inMs };
    case 'plan':
      return { kind, fromMs: inMs, untilMs: inMs + ((number % 2) + 1) * 5 * MINUTE_MS };
    case 'setValue':
      return { kind, value: serial * 1_000 };
    case 'publish':
      return { kind, after: state.version, source: `# ${serial}` };
    case 'setChannel':
      return { kind, channel: `4000000000000${String(serial).padStart(5, '0')}` };
    case 'setPings': {
      const role = pick(ROLES, number) ?? '';
      const pings = state.pings.includes(role) ? state.pings.filter((one) => one !== role) : [...state.pings, role];
      return { kind, pings, expected: state.pings };
    }
    case 'add':
      return { kind, entry, line: `line ${serial}` };
    case 'remove':
      return { kind, entry };
    case 'change':
      return { kind, entry, line: `line ${serial}`, expected: state.entries?.[entry] ?? '' };
    case 'undo': {
      const change = pick(changes.slice(-4), number);
      return change && { kind, change };
    }
    case 'queue':
      return { kind, post: `p${serial}`, text: `text ${serial}` };
    case 'edit':
      return post === undefined ? undefined : { kind, post, text: `text ${serial}`, edits: state.posts[post]?.edits ?? 0 };
    case 'move':
      return post === undefined ? undefined : { kind, post, atMs: nowMs + (serial + 1) * 60 * MINUTE_MS };
    case 'cancel':
      return post === undefined ? undefined : { kind, post };
    default:
      return { kind };
  }
}

function pick<T>(all: readonly T[], number: number): T | undefined {
  return all[number % Math.max(1, all.length)];
}
