import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { fetch } from 'undici';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { CALLBACKS } from '#sandbox/discord/interactions/callback-form.ts';
import { APPLICATION_ID, BOT_TOKEN, GUILD_ID, PUBLIC_KEY } from '#sandbox/discord/identity.ts';
import { INTERACTION_TYPES } from '#sandbox/discord/interactions/interaction.ts';
import { COMPONENT_TYPES } from '#sandbox/discord/messages/component.ts';
import { FLAGS } from '#sandbox/discord/messages/message.ts';

const PING = 1;
/** The prefix of a raw Ed25519 key in the format SPKI. */
const SPKI = '302a300506032b6570032100';
const key = createPublicKey({ key: Buffer.from(SPKI + PUBLIC_KEY, 'hex'), format: 'der', type: 'spki' });

/** The commands of Fanfare that the examples use. */
const COMMANDS = [
  { type: 1, name: 'top', description: 'Top lists', options: [{ type: 1, name: 'streams', description: 'The most watched streams' }] },
  {
    type: 1,
    name: 'live',
    description: 'Is someone live?',
    options: [{ type: 3, name: 'streamer', description: 'The streamer', required: true, autocomplete: true }],
  },
  {
    type: 1,
    name: 'post',
    description: 'Posts',
    default_member_permissions: '32',
    options: [
      { type: 1, name: 'now', description: 'Posts now', options: [{ type: 3, name: 'text', description: 'The text', required: false }] },
    ],
  },
  { type: 3, name: 'Why this message?' },
] as const;

const { row, button, stringSelect, textInput } = COMPONENT_TYPES;
const ACCOUNTS = ['bluesky', 'mastodon', 'x'].map((value) => ({ label: value, value }));

function topList(page: number): JsonObject {
  const buttons = ['Back', 'Next'].map((label, index) => ({
    type: button,
    style: 2,
    label,
    custom_id: `top:${label}:${page}`,
    disabled: index === 0 && page === 1,
  }));
  return { content: `Most watched on Twitch, page ${page}`, components: [{ type: row, components: buttons }] };
}

function preview(content: string): JsonObject {
  const buttons = ['Send', 'Edit'].map((label) => ({ type: button, style: 2, label, custom_id: `post:${label}` }));
  const menu = { type: stringSelect, custom_id: 'post:accounts:1', min_values: 1, max_values: 3, options: ACCOUNTS };
  return { content, components: [menu, buttons].map((part) => ({ type: row, components: [part].flat() })) };
}

const hidden = (data: JsonObject): JsonObject => ({ ...data, flags: FLAGS.Ephemeral });

/** The answers of Fanfare, shorter. */
function answerTo({ type, data }: Interaction): JsonObject {
  const name = data.name ?? data.custom_id ?? '';
  if (type === INTERACTION_TYPES.autocomplete) {
    return { type: CALLBACKS.choices, data: { choices: ['grace', 'grumpyowl'].map((choice) => ({ name: choice, value: choice })) } };
  }
  if (type === INTERACTION_TYPES.modal && name === 'post:text') return { type: CALLBACKS.update, data: preview('Preview: Chess at eight') };
  if (name === 'top') return { type: CALLBACKS.message, data: hidden(topList(1)) };
  if (name === 'post') return { type: CALLBACKS.message, data: hidden(preview('Preview: Chess tonight')) };
  if (name === 'Why this message?')
    return { type: CALLBACKS.message, data: hidden({ content: 'This is the answer to a command of Ada.' }) };
  if (name === 'top:Next:1') return { type: CALLBACKS.update, data: topList(2) };
  if (name === 'post:accounts:1')
    return { type: CALLBACKS.update, data: preview(`Preview for ${data.values?.join(' and ')}: Chess tonight`) };
  if (name === 'post:Edit') {
    const field = { type: textInput, style: 2, custom_id: 'text', label: 'Text', value: 'Chess tonight' };
    return { type: CALLBACKS.modal, data: { custom_id: 'post:text', title: 'Post', components: [{ type: row, components: [field] }] } };
  }
  return {
    type: CALLBACKS.message,
    data: hidden({ content: 'This button is from an earlier version of the bot. Run the command again.' }),
  };
}

interface Interaction {
  readonly type: number;
  readonly data: { readonly name?: string; readonly custom_id?: string; readonly values?: readonly string[] };
}

/** A bot with an HTTP endpoint. It replaces Fanfare, so that the examples of the reference need no running Fanfare. */
export interface ExampleBot extends AsyncDisposable {
  /** The address of its endpoint. */
  readonly url: string;
}

/** Starts the bot, and registers its commands in the sandbox. */
export async function startExampleBot(sandboxUrl: string): Promise<ExampleBot> {
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const isSigned = hasSignature(request, body);
      response.writeHead(isSigned ? 200 : 401, { 'content-type': 'application/json' });
      // The sandbox is the only sender that can sign.
      const interaction = JSON.parse(body) as Interaction;
      response.end(JSON.stringify(isSigned ? (interaction.type === PING ? { type: PING } : answerTo(interaction)) : {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fetch(`${sandboxUrl}/discord/api/v10/applications/${APPLICATION_ID}/guilds/${GUILD_ID}/commands`, {
    method: 'PUT',
    headers: { authorization: `Bot ${BOT_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(COMMANDS),
  });
  // A server that listens on a port has an address with it.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/discord/interactions`, [Symbol.asyncDispose]: () => stop(server) };
}

function hasSignature({ headers }: IncomingMessage, body: string): boolean {
  const signature = Buffer.from(String(headers['x-signature-ed25519']), 'hex');
  return verify(undefined, Buffer.from(String(headers['x-signature-timestamp']) + body), key, signature);
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
