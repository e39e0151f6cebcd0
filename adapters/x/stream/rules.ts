import { z } from 'zod';
import { bareName } from '#src/clients/operation/parameters.ts';
import { isFault } from '#src/http/errors.ts';
import { WAYS } from '../auth/access.ts';
import type { XApi } from '../client.ts';

const PATH = '/2/tweets/search/stream/rules';
/** The rules of one request. */
const PART = 100;
/** So many refusals in a row mean that the plan has no more rules, or that X refuses all of them. */
const MOST_REFUSALS = 3;
/** Names that a rule can have. */
const NAME = /^\w{1,15}$/u;

const Rules = z.object({ data: z.array(z.object({ id: z.string(), value: z.string(), tag: z.string().optional() })).default([]) });

/** The rules after a change. */
export interface FollowedNames {
  /** The watched names by the id of their rule. */
  readonly namesByRule: ReadonlyMap<string, readonly string[]>;
  /** Names without a rule. */
  readonly onlyPolled: readonly string[];
  /** Why X refuses rules. */
  readonly problem: string | undefined;
}

/**
 * Keeps a rule for each of the names, and no others with the tag of this installation. If X does not take all of them, the first names have
 * rules. Rules of others stay.
 */
export async function followNames(
  names: readonly string[],
  { api, tag, signal }: { readonly api: Pick<XApi, 'read' | 'send'>; readonly tag: string; readonly signal: AbortSignal },
): Promise<FollowedNames> {
  const list = async () => (await api.read(Rules, { path: PATH, ways: WAYS.app, signal })).answer.data;
  const change = (json: object) => api.send({ method: 'POST', path: PATH, json, ways: WAYS.app, signal });

  /** Adds rules in their order. Returns why X refuses some of them. */
  async function add(values: readonly string[]): Promise<string | undefined> {
    let problem: string | undefined;
    let size = PART;
    let refusals = 0;
    for (let next = 0; next < values.length && refusals < MOST_REFUSALS;) {
      try {
        await change({ add: values.slice(next, next + size).map((value) => ({ value, tag })) });
        next += size;
        refusals = 0;
      } catch (error) {
        if (!isFault(error, 'rejected') && !isFault(error, 'forbidden')) throw error;
        problem = error.message;
        if (size === 1) {
          refusals += 1;
          next += 1;
        } else size = Math.ceil(size / 2);
      }
    }
    return problem;
  }

  const wanted = Map.groupBy(
    names.filter((name) => NAME.test(bareName(name))),
    (name) => `from:${bareName(name).toLowerCase()} -is:reply`,
  );
  const before = await list();
  const ours = before.filter((rule) => rule.tag === tag);
  const obsolete = ours.filter(({ value }) => !wanted.has(value)).map(({ id }) => id);
  for (let next = 0; next < obsolete.length; next += PART) await change({ delete: { ids: obsolete.slice(next, next + PART) } });
  // X takes a value once. The rule of another installation may end at any time.
  const taken = new Set(before.map(({ value }) => value));
  const missing = [...wanted.keys()].filter((value) => !taken.has(value));
  const problem = await add(missing);
  const after = missing.length > 0 ? (await list()).filter((rule) => rule.tag === tag) : ours;
  const namesByRule = new Map(after.flatMap(({ id, value }) => (wanted.has(value) ? [[id, wanted.get(value) ?? []] as const] : [])));
  const followed = new Set([...namesByRule.values()].flat());
  return { namesByRule, onlyPolled: names.filter((name) => !followed.has(name)), problem };
}
