import { z } from 'zod';
import { acceptedAddress } from '#src/clients/operation/accepted-address.ts';
import { listOf } from '#src/http/lenient.ts';
import { PlatformError } from '#src/errors.ts';
import { type Channel, isThread } from '../channels.ts';
import { codeOf, CODES } from '../errors.ts';
import { compose, type Draft, NoAnswer, type Server } from '../server.ts';
import { type MessageAddress, WireMessage } from '../wire/message.ts';
import { findMember } from './members.ts';

const Webhook = z.object({
  id: z.string(),
  token: z.string().nullish(),
  application_id: z.string().nullish(),
  user: z.object({ id: z.string() }).nullish(),
});
const Direct = z.object({ id: z.string() });

/** A webhook of the bot. */
interface Webhook {
  readonly id: string;
  readonly token: string;
}

const NAME = 'Fanfare';
/** The characters of a name. */
const MOST_NAME = 80;

/** Discord refuses names of webhooks with these words, which names of streamers contain too. */
const REFUSED_WORD = /dis(?=cord)|cly(?=de)/giu;

/** The name of a sender for Discord: a dot divides a word that it refuses. */
function shownName(name: string): string {
  return name.replaceAll(REFUSED_WORD, '$&·').slice(0, MOST_NAME).toWellFormed();
}

/** Characters that Discord removes from names: https://docs.discord.com/developers/resources/user#usernames-and-nicknames. */
const UNSHOWN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\s]+/gu;

/** Whether a message has the name of a sender. */
export function isNamedAs(sender: string, shown: string): boolean {
  return nameKey(shownName(sender)) === nameKey(shown);
}

function nameKey(name: string): string {
  return name.normalize().replace(UNSHOWN, '');
}

/** The channel of the direct messages to a member. Discord returns the same one each time. */
export async function directChannel(server: Server, user: string, signal: AbortSignal | undefined): Promise<string> {
  const member = await findMember(server, user, signal);
  const body = { recipient_id: member.user.id };
  return (await server.api({ method: 'POST', path: '/users/@me/channels', body, answer: Direct, signal })).id;
}

/** The webhook of the bot in a channel; undefined if there is none. A thread uses the webhook of its channel. */
export async function webhookIn(server: Server, channelId: string, signal: AbortSignal | undefined): Promise<Webhook | undefined> {
  return (await webhooksIn(server, channelId, signal))[0];
}

/** All of them: moderators can move a webhook to another channel. */
async function webhooksIn({ api, history }: Server, channelId: string, signal: AbortSignal | undefined): Promise<readonly Webhook[]> {
  const botId = await history.botId(signal);
  const all = await api({ method: 'GET', path: `/channels/${channelId}/webhooks`, answer: listOf(Webhook), signal });
  return all.flatMap(({ id, token, application_id, user }) => (token && [application_id, user?.id].includes(botId) ? [{ id, token }] : []));
}

/** Sends a message under another name and picture. */
export async function writeAs(
  server: Server,
  channel: Channel,
  { sender, ...draft }: Draft & { readonly sender: { readonly name: string; readonly avatar?: string | undefined } },
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  if (channel.forum)
    throw new PlatformError(`#${channel.name} is a forum: a sender can write in its threads only.`, {
      platform: 'discord',
      fault: 'rejected',
    });
  const { form, files } = await compose(server, { ...draft, nonce: undefined }, signal);
  const body = { ...form, username: shownName(sender.name), avatar_url: acceptedAddress(sender.avatar) };
  const query = { wait: 'true', ...(isThread(channel) && { thread_id: channel.id }) };
  const home = homeOf(channel);
  const { id: webhookId, token } = (await webhookIn(server, home, signal)) ?? (await createWebhook(server, home, signal));
  return server.api({ method: 'POST', path: `/webhooks/${webhookId}/${token}`, query, body, files, answer: WireMessage, signal });
}

/** The channel with the webhooks of a channel or a thread. The parent of a channel is its category. */
export function homeOf(place: Pick<Channel, 'id' | 'type' | 'parent_id'>): string {
  return (isThread(place) && place.parent_id) || place.id;
}

async function createWebhook({ api }: Server, channelId: string, signal: AbortSignal | undefined): Promise<Webhook> {
  const path = `/channels/${channelId}/webhooks` as const;
  const { id, token } = await api({ method: 'POST', path, body: { name: NAME }, answer: Webhook, signal });
  if (!token) throw new PlatformError('Discord returned a webhook without a token.', { platform: 'discord', fault: 'malformed' });
  return { id, token };
}

const Place = z.object({ id: z.string(), type: z.int(), parent_id: z.string().nullish() });

/** The address under which a message of a webhook of the bot is changed; undefined if the webhook is gone. */
export async function addressOfSender(
  server: Server,
  { channelId, messageId }: MessageAddress,
  webhookId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly path: `/${string}`; readonly query: Readonly<Record<string, string>> } | undefined> {
  const place = await server.api({ method: 'GET', path: `/channels/${channelId}`, answer: Place, signal });
  const webhook = (await webhooksIn(server, homeOf(place), signal)).find(({ id }) => id === webhookId);
  if (!webhook) return undefined;
  return { path: `/webhooks/${webhook.id}/${webhook.token}/messages/${messageId}`, query: isThread(place) ? { thread_id: channelId } : {} };
}

/** Deletes a message that a webhook of the bot sent, without the permission to manage messages; false if it is not one. */
export async function deleteOfSender(server: Server, target: MessageAddress, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const { webhookId } = await server.api({ method: 'GET', path: target.path, answer: WireMessage, signal });
    const address = webhookId === undefined ? undefined : await addressOfSender(server, target, webhookId, signal);
    if (!address) return false;
    await server.api({ method: 'DELETE', ...address, answer: NoAnswer, signal });
    return true;
  } catch (error) {
    if (codeOf(error) === CODES.unknownMessage) return true;
    throw error;
  }
}
