import { UserError } from '#src/errors.ts';
import type { Caller } from '#src/discord/caller.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { includesPermission, type ServerState } from './server-state.ts';

/** Each of them lets a member post in a channel: as themselves, by a change of its permissions, or by a webhook. */
const POSTING = ['SendMessages', 'ManageChannels', 'ManageWebhooks'] as const;

/** Throws unless a channel is in the server and can have messages, and Discord lets the caller see it and post there. */
export async function requireMayPost(channel: string, state: ServerState, caller: Pick<Caller, 'id' | 'roleIds' | 'texts'>): Promise<void> {
  const { foreignChannel, cannotPostIn, channel: texts } = caller.texts.setup;
  const bits = await state.inChannel(channel, caller);
  if (bits === undefined) throw new UserError(foreignChannel);
  if (await state.isWithoutMessages(channel)) throw new UserError(texts.noMessages(`<#${channel}>`));
  const canPost = includesPermission(bits, 'ViewChannel') && POSTING.some((name) => includesPermission(bits, name));
  if (!canPost) throw new NotAllowed(cannotPostIn);
}
