import { z } from 'zod';
import { isJsonList, isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import { faultsOf, Id } from '../form.ts';
import { Component, flatten } from './component.ts';
import { type AllowedMentions, Embeds } from './parts.ts';

const MAX_CONTENT = 2000;
const MAX_NONCE = 25;

const Content = z
  .string()
  .refine((content) => Array.from(content).length <= MAX_CONTENT, {
    params: { code: 'BASE_TYPE_MAX_LENGTH' },
    message: `Must be ${MAX_CONTENT} or fewer in length.`,
  })
  .transform((content) => content.trim());

const Mentions = z
  .object({
    parse: z.array(z.enum(['users', 'roles', 'everyone'])).nullish(),
    users: z.array(Id).max(100).nullish(),
    roles: z.array(Id).max(100).nullish(),
    replied_user: z.boolean().nullish(),
  })
  .superRefine(({ parse, users, roles }, context) => {
    for (const [kind, ids] of [['users', users] as const, ['roles', roles] as const]) {
      if (!ids?.length || !parse?.includes(kind)) continue;
      context.addIssue({
        code: 'custom',
        params: { code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' },
        message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      });
    }
  })
  .transform((wire): AllowedMentions => ({
    parse: wire.parse ?? [],
    users: wire.users ?? [],
    roles: wire.roles ?? [],
    repliedUser: wire.replied_user ?? false,
  }));

/** Valid components are stored unchanged. */
const Components = z
  .array(z.record(z.string(), z.json()))
  .max(40)
  .superRefine((wire, context) => {
    const parsed = z.array(Component).safeParse(wire, { reportInput: true });
    const faults = parsed.error ? faultsOf(parsed.error) : [];
    for (const { path, code, message } of faults) context.addIssue({ code: 'custom', path: [...path], params: { code }, message });
    const ids = flatten(parsed.data ?? []).flatMap(({ customId }) => customId ?? []);
    if (new Set(ids).size === ids.length) return;
    context.addIssue({
      code: 'custom',
      params: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED' },
      message: 'Component custom id cannot be duplicated',
    });
  })
  .transform((wire): readonly JsonObject[] => numbered(wire));

/** Discord numbers the components in their order, the contents of a component after it. */
function numbered(all: readonly JsonObject[]): readonly JsonObject[] {
  let last = 0;
  const number = (one: JsonObject): JsonObject => {
    const id = ++last;
    const inner = { components: listIn(one, 'components'), accessory: childIn(one, 'accessory'), component: childIn(one, 'component') };
    return {
      id,
      ...one,
      ...(inner.components && { components: inner.components.map(number) }),
      ...(inner.accessory && { accessory: number(inner.accessory) }),
      ...(inner.component && { component: number(inner.component) }),
    };
  };
  return all.map(number);
}

function listIn(one: JsonObject, key: string): readonly JsonObject[] | undefined {
  const list = one[key];
  return isJsonList(list) ? list.filter(isJsonObject) : undefined;
}

function childIn(one: JsonObject, key: string): JsonObject | undefined {
  const child = one[key];
  return isJsonObject(child) ? child : undefined;
}

const AttachmentForm = z.object({ id: Id, filename: z.string().nullish(), description: z.string().max(1024).nullish() });

const Wire = z.object({
  content: Content.nullish(),
  embeds: Embeds.nullish(),
  components: Components.nullish(),
  allowed_mentions: Mentions.nullish(),
  attachments: z.array(AttachmentForm).max(10).nullish(),
  flags: z.int().min(0).nullish(),
  nonce: z.union([z.string().max(MAX_NONCE), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  message_reference: z
    .object({ message_id: Id, channel_id: Id.nullish(), fail_if_not_exists: z.boolean().nullish(), type: z.literal(0).nullish() })
    .nullish(),
});

/** A new message, or a change of a message. `undefined` keeps a field, `null` empties it. */
export const MessageForm = Wire.transform((wire) => ({
  content: wire.content,
  embeds: wire.embeds,
  components: wire.components,
  allowedMentions: wire.allowed_mentions ?? undefined,
  attachments: wire.attachments && wire.attachments.map(({ id, description }) => ({ id, description: description ?? undefined })),
  flags: wire.flags ?? undefined,
  nonce: wire.nonce ?? undefined,
  enforceNonce: wire.enforce_nonce ?? false,
  replyTo: wire.message_reference && {
    messageId: wire.message_reference.message_id,
    mayBeMissing: wire.message_reference.fail_if_not_exists === false,
  },
}));
export type MessageForm = z.output<typeof MessageForm>;
