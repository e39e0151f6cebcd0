import { PlatformError } from '#src/errors.ts';
import type { Page, PartialError } from '#src/paging/page.ts';
import type { Stream } from '#src/streaming/records.ts';
import { batchesOf, type Helix } from './helix.ts';
import { readStreams } from './pages.ts';
import { isId, toLogin } from './users.ts';

/** Channels that one request asks for. */
interface Batch {
  readonly parameter: 'user_id' | 'user_login';
  readonly values: readonly string[];
  /** The same channels as they were named to us. */
  readonly names: readonly string[];
}

interface Outcome {
  readonly streams: readonly Stream[];
  readonly partialErrors: readonly PartialError[];
  readonly error?: PlatformError;
}

/** Those of the channels that are live, most watched first; a request that fails beside others says whom it leaves out. */
export async function channelStreams(helix: Helix, users: readonly string[], signal: AbortSignal | undefined): Promise<Page<Stream>> {
  const outcomes = await Promise.all(toBatches(users).map((batch) => readBatch(helix, batch, signal)));

  if (outcomes[0]?.error && outcomes.every(({ error }) => error !== undefined)) throw outcomes[0].error;
  const partialErrors = outcomes.flatMap((outcome) => outcome.partialErrors);
  const byId = new Map(outcomes.flatMap(({ streams }) => streams).map((stream) => [stream.id, stream]));
  return { items: [...byId.values()].toSorted((a, b) => b.viewerCount - a.viewerCount), partialErrors };
}

async function readBatch(helix: Helix, { parameter, values, names }: Batch, signal: AbortSignal | undefined): Promise<Outcome> {
  try {
    const { items, partialErrors = [] } = await readStreams(helix, { [parameter]: values }, { signal });
    return { streams: items, partialErrors: partialErrors.map((part) => ({ ...part, values: namesOf(part.values, names) })) };
  } catch (error) {
    if (error instanceof PlatformError)
      return { streams: [], partialErrors: [{ fault: error.fault, message: error.message, values: names }], error };
    throw error;
  }
}

/** The channels in as few requests as there can be; whom nobody can be called is in none. */
function toBatches(users: readonly string[]): readonly Batch[] {
  const namesOf = Map.groupBy(users, (name) => (isId(name) ? name : toLogin(name)));
  const values = [...namesOf.keys()].filter((value) => value !== undefined);
  const toBatch = (parameter: Batch['parameter']) => (batch: readonly string[]) => ({
    parameter,
    values: batch,
    names: batch.flatMap((value) => namesOf.get(value) ?? []),
  });
  return [
    ...batchesOf(values.filter(isId)).map(toBatch('user_id')),
    ...batchesOf(values.filter((value) => !isId(value))).map(toBatch('user_login')),
  ];
}

/** The channels that an unreadable row may be about; every channel of the request if the row names none. */
function namesOf(values: readonly string[], names: readonly string[]): readonly string[] {
  const asked = names.filter((name) => values.includes(name) || values.includes(toLogin(name) ?? name));
  return asked.length > 0 ? asked : names;
}
