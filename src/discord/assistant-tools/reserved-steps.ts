import { catalogue } from '#src/clients/catalogue.ts';
import type { ReservedUse } from '#src/clients/assistant/drafts.ts';
import { isJsonList, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { Step } from '#src/rules/step.ts';

const CHANGES_ROLES = ['discord.addRole', 'discord.removeRole'];

/** The effect of a step that is reserved to rules of operators; undefined for other steps. An approver could overlook it in a long rule. */
export function reservedUse({ do: verb, with: { mention, buttons, layout } }: Step): ReservedUse | undefined {
  if (CHANGES_ROLES.includes(verb) || mayGiveRole(buttons) || mayGiveRole(layout)) return 'roles';
  if (/\.delete/.test(verb)) return 'deletes';
  return mayPingEveryone(mention) ? 'everyone' : undefined;
}

/** Whether a step writes under the name of an account, so that its approval needs the permission to post. */
export function isPost({ do: verb }: Step): boolean {
  return /^(?:social|streaming)\./.test(verb) && catalogue.get(verb)?.kind === 'write';
}

/** Whether buttons or blocks give a role. An expression instead of a button could. */
function mayGiveRole(part: Json | undefined): boolean {
  if (typeof part === 'string') return true;
  if (isJsonList(part)) return part.some(mayGiveRole);
  if (typeof part !== 'object' || part === null) return false;
  const { role, blocks, buttons }: JsonObject = part;
  return role !== undefined || mayGiveRole(blocks) || mayGiveRole(buttons);
}

/** An expression could result in `everyone`. */
function mayPingEveryone(mention: Json | undefined): boolean {
  if (isJsonList(mention)) return mention.some(mayPingEveryone);
  return typeof mention === 'string' && (isTemplate(mention) || /^[@\s]*(?:everyone|here)\s*$/i.test(mention));
}
