import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { FiredItem } from '#src/rules/firing.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';

/** A use of the slash command of a rule. All texts are written by members. */
export interface CommandUse {
  /** The id of the interaction. */
  readonly id: string;
  readonly name: string;
  readonly user: { readonly id: string; readonly handle: string; readonly displayName: string };
  readonly channel: { readonly id: string; readonly name: string };
  /** The id of the server. */
  readonly server: string;
  /** The language of the member, for example `de`. */
  readonly locale: string;
  /** The values of the options, by name. */
  readonly options: Readonly<Record<string, Json>>;
}

/** The use as expressions see it. */
export function commandScope({ id, name, user, channel, server, locale, options }: CommandUse): JsonObject {
  return { id, name, user: { ...user }, channel: { ...channel }, server, locale, options };
}

/** The reason of a decision about a use. */
export function usedReason({ name, user }: CommandUse): Extract<Reason, { readonly kind: 'commandUsed' }> {
  return { kind: 'commandUsed', command: name, by: user.displayName };
}

/** The use as the item of its deliveries. */
export function usedItem({ id, name, user }: CommandUse): FiredItem {
  return { key: id, name: `/${name} (${user.displayName})` };
}
