import type { JsonObject } from '#src/operation/json.ts';
import { fromAtUri } from '../data/at-uri.ts';
import { objectsAt, textAt, valueAt } from '../repo/references.ts';
import type { StandingRecord } from '../repo/repository.ts';
import type { WorldPerson } from '../../world/world.ts';
import { selfLabels } from './labels.ts';
import type { Look } from './look.ts';
import { toProfile } from './profile.ts';

const LIST = 'app.bsky.graph.list';
const LIST_ITEM = 'app.bsky.graph.listitem';

/** Somebody on a list, and the record that put them there. */
export interface ListMember {
  readonly uri: string;
  readonly person: WorldPerson;
}

/** The list at an address; undefined where there is none, or where a block hides it. */
export function findList(uri: string, { bluesky, moment, viewer, call }: Look): StandingRecord | undefined {
  const { repo, collection, rkey } = fromAtUri(uri) ?? {};
  const owner = repo === undefined ? undefined : bluesky.directory.find(repo);
  if (!owner || collection !== LIST || rkey === undefined || moment.relations.parted(viewer.id, owner.id)) return undefined;
  const row = bluesky.repositories.find(bluesky.directory.didOf(owner), LIST, rkey);
  return row && row.visibleAtMs <= call.nowMs ? row : undefined;
}

/** The lists of somebody that the viewer sees, the latest first. */
export function listsOf(owner: WorldPerson, look: Look): readonly StandingRecord[] {
  const rows = look.bluesky.repositories.all(look.bluesky.directory.didOf(owner), LIST);
  return rows.flatMap(({ uri }) => findList(uri, look) ?? []).toReversed();
}

/** Who is on a list, the latest first. */
export function membersOf({ did, uri }: StandingRecord, { bluesky }: Look): readonly ListMember[] {
  const items = bluesky.repositories.all(did, LIST_ITEM).filter(({ record }) => record['list'] === uri);
  return items.toReversed().flatMap((item) => {
    const person = bluesky.directory.find(textAt(item.record, 'subject') ?? '');
    return person ? [{ uri: item.uri, person }] : [];
  });
}

export function toList(list: StandingRecord, look: Look): JsonObject {
  const { directory } = look.bluesky;
  const owner = directory.find(list.did);
  if (!owner) throw new Error(`list ${list.uri} is nobody's`);
  const { description, descriptionFacets } = list.record;
  return { ...toBasicList(list, look), creator: toProfile(owner, look), description, descriptionFacets };
}

/** The lists that a gate names. */
export function findListOf(gate: JsonObject, look: Look): readonly JsonObject[] {
  return objectsAt(gate, 'allow').flatMap((rule) => {
    const list = findList(textAt(rule, 'list') ?? '', look);
    return list ? [toBasicList(list, look)] : [];
  });
}

function toBasicList(list: StandingRecord, look: Look): JsonObject {
  const { uri, cid, record, did, atMs } = list;
  const avatar = textAt(record, 'avatar', 'ref', '$link');
  return {
    uri,
    cid,
    name: valueAt(record, 'name'),
    purpose: valueAt(record, 'purpose'),
    avatar: avatar === undefined ? undefined : `${look.url}/img/avatar/plain/${did}/${avatar}@jpeg`,
    listItemCount: membersOf(list, look).length,
    labels: selfLabels(list, { did, atMs }),
    viewer: { muted: false },
    indexedAt: new Date(atMs).toISOString(),
  };
}
