import type { JsonObject } from '#src/operation/json.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { UserVisit } from '../visit.ts';

/** How the viewer stands to somebody. */
export function toRelationship({ id }: WorldPerson, { viewer, ground, moment }: UserVisit): JsonObject {
  const { relations } = moment;
  const { marks, ids } = ground;
  const following = relations.follows(viewer.id, id);
  const muting = marks.has('mute', viewer.id, id);
  return {
    id: ids.account(id),
    following,
    showing_reblogs: following && !marks.has('withoutReblogs', viewer.id, id),
    notifying: following && relations.notifiedSinceMs(viewer.id, id) !== undefined,
    languages: null,
    followed_by: relations.follows(id, viewer.id),
    blocking: relations.blocks(viewer.id, id),
    blocked_by: relations.blocks(id, viewer.id),
    muting,
    muting_notifications: muting,
    requested: marks.has('request', viewer.id, id),
    requested_by: marks.has('request', id, viewer.id),
    domain_blocking: false,
    endorsed: false,
    note: '',
  };
}
