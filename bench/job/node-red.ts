import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GAME } from './report.ts';

/** The program file of Node-RED, which `npm run bench` installs. */
const NODE_RED = 'bench/peers/node_modules/node-red/red.js';

interface FlowOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether Node-RED serves its editor, which is the default. */
  readonly editor: boolean;
}

/** Starts Node-RED with a flow that does the job of the rule. */
export function startNodeRed({ folder, environment, editor }: FlowOptions): ChildProcess {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow(environment)));
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: 0,
    flowFile: 'flows.json',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'warn' } },
    ...(!editor && { httpAdminRoot: false }),
  };
  writeFileSync(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
  const args = [NODE_RED, '--userDir', folder, '--settings', join(folder, 'settings.js')];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env['PATH'], HOME: folder } });
}

/** Signs in and finds the game once, then polls every five seconds and posts what entered the top five. */
function flow({
  TWITCH_CLIENT_ID: id,
  TWITCH_CLIENT_SECRET: secret,
  TWITCH_API_URL,
  TWITCH_AUTH_URL,
  SANDBOX_URL,
  SANDBOX_TOKEN,
}: Readonly<Record<string, string>>): readonly object[] {
  const headers = `{ authorization: 'Bearer ' + flow.get('token'), 'client-id': '${id}' }`;
  const streams = `msg.url = '${TWITCH_API_URL}/streams?game_id=' + flow.get('game') + '&first=100'; msg.headers = ${headers};`;
  return [
    { id: 'tab', type: 'tab', label: 'top five' },
    inject('start', { once: true, repeat: '', wires: 'signIn' }),
    code('signIn', {
      next: 'token',
      func: `msg.url = '${TWITCH_AUTH_URL}/token?client_id=${id}&client_secret=${secret}&grant_type=client_credentials'; return msg;`,
    }),
    http('token', { method: 'POST', next: 'findGame' }),
    code('findGame', {
      next: 'game',
      func: `flow.set('token', msg.payload.access_token); msg.url = '${TWITCH_API_URL}/games?name=${GAME}'; msg.headers = ${headers}; return msg;`,
    }),
    http('game', { method: 'GET', next: 'firstPoll' }),
    code('firstPoll', { next: 'streams', func: `flow.set('game', msg.payload.data[0].id); ${streams} return msg;` }),
    inject('every', { once: false, repeat: '5', wires: 'poll' }),
    code('poll', { next: 'streams', func: `if (!flow.get('game')) return null; ${streams} return msg;` }),
    http('streams', { method: 'GET', next: 'compare' }),
    code('compare', {
      next: 'post',
      func: `
        const top = msg.payload.data.slice(0, 5);
        const before = context.get('before');
        context.set('before', top.map((stream) => stream.id));
        if (!before) return null;
        const posts = top.flatMap((stream, index) => before.includes(stream.id) ? [] : [{
          url: '${SANDBOX_URL}/createPost',
          headers: { authorization: 'Bearer ${SANDBOX_TOKEN}', 'content-type': 'application/json' },
          payload: { params: { text: stream.user_name + ' is #' + (index + 1) + ' with ' + stream.viewer_count + ' viewers https://www.twitch.tv/' + stream.user_login } },
        }]);
        return [posts];`,
    }),
    http('post', { method: 'POST' }),
  ];
}

function inject(id: string, { once, repeat, wires }: { readonly once: boolean; readonly repeat: string; readonly wires: string }): object {
  return { id, type: 'inject', z: 'tab', props: [], repeat, crontab: '', once, onceDelay: 0.1, wires: [[wires]] };
}

function code(id: string, { func, next }: { readonly func: string; readonly next: string }): object {
  return {
    id,
    type: 'function',
    z: 'tab',
    func,
    outputs: 1,
    timeout: 0,
    noerr: 0,
    initialize: '',
    finalize: '',
    libs: [],
    wires: [[next]],
  };
}

function http(id: string, { method, next }: { readonly method: string; readonly next?: string }): object {
  return {
    id,
    type: 'http request',
    z: 'tab',
    method,
    ret: 'obj',
    paytoqs: 'ignore',
    url: '',
    persist: true,
    senderr: false,
    headers: [],
    wires: [next ? [next] : []],
  };
}
