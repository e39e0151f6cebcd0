import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldEvent, WorldPerson } from '../../world/world.ts';
import { eventInstant } from './subscription.ts';
import type { EventSubEvent } from './topic.ts';

/** The event of EventSub for an event of the world. */
export function toEventSub({ kind, person, broadcastId, startedAt, game, title }: WorldEvent): EventSubEvent {
  const conditions = [{ broadcaster_user_id: person.id }];
  const broadcaster = identified('broadcaster', person);
  switch (kind) {
    case 'wentLive': {
      const started_at = eventInstant(startedAt.getTime());
      return { type: 'stream.online', conditions, event: { id: broadcastId, ...broadcaster, type: 'live', started_at } };
    }
    case 'ended':
      return { type: 'stream.offline', conditions, event: broadcaster };
    case 'changedGame':
    case 'changedTitle': {
      const category = { category_id: game.id, category_name: game.name };
      const event = { ...broadcaster, title, language: person.language, ...category, content_classification_labels: [] };
      return { type: 'channel.update', conditions, event };
    }
  }
}

export function raidEvent(from: WorldPerson, to: WorldPerson, viewers: number): EventSubEvent {
  const none = { from_broadcaster_user_id: '', to_broadcaster_user_id: '' };
  return {
    type: 'channel.raid',
    conditions: [
      { ...none, from_broadcaster_user_id: from.id },
      { ...none, to_broadcaster_user_id: to.id },
    ],
    event: { ...identified('from_broadcaster', from), ...identified('to_broadcaster', to), viewers },
  };
}

function identified(role: string, { id, handle, displayName }: WorldPerson): JsonObject {
  return { [`${role}_user_id`]: id, [`${role}_user_login`]: handle, [`${role}_user_name`]: displayName };
}
