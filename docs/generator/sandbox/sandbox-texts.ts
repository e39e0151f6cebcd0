import { codeBlock, table } from '../markdown.ts';

export const INTRODUCTION = `This page shows how to start the sandbox, change the simulated world, and make requests fail.

The sandbox simulates Twitch, Kick, Discord, a social platform and an assistant, and on request X, Mastodon, Bluesky and YouTube. It runs on your machine and uses no
account. To try it step by step, follow [Simulate a stream, a clip or a fault on the sandbox](../guides/simulate-on-sandbox.md).`;

const SETTINGS = table(
  ['setting', 'effect'],
  [
    [
      'no account in the environment and in `fanfare.yaml`',
      '`fanfare start` runs on the sandbox, in the same process. One account switches the sandbox off.',
    ],
    [
      '`PORT` (default 8080)',
      'The sandbox of `fanfare start` listens on the next port: 8081. If that port is taken, it listens on a free port.',
    ],
    [
      '`FANFARE_DATA` (default `./data`)',
      'The file `sandbox.sqlite` in this folder stores what is written to the sandbox. Delete the file to start again.',
    ],
    [
      '`fanfare sandbox --port <port>`',
      'The sandbox runs alone, on this port (default 8081). It prints the environment variables that point to it.',
    ],
    ['`fanfare sandbox --seed <seed>`', 'The seed of the world (default 1). `fanfare start` uses seed 1.'],
    ['`SANDBOX_URL`, `SANDBOX_TOKEN`', 'The social platform of a sandbox in another process.'],
    ['`accounts.<name>: { platform: sandbox, url, token }`', 'The same in `fanfare.yaml`: see [fanfare.yaml](fanfare-yaml.md).'],
    ['`enabled: sandbox` in a rule', 'The rule runs only on the sandbox: see [rule keys](rule-keys.md#enabled).'],
  ],
);

const LIBRARY = table(
  ['option', 'type', 'default', 'meaning'],
  [
    ['`seed`', '`number`', '`1`', 'The seed of the world.'],
    ['`port`', '`number`', '`0`', 'The port. 0 selects a free port.'],
    ['`host`', '`string`', "`'127.0.0.1'`", 'A loopback address. The sandbox refuses other addresses.'],
    ['`speed`', '`number`', '`1`', 'The speed of the world relative to `clock`. Clients must use `sandbox.clock`.'],
    ['`isClockShared`', '`boolean`', '`false`', 'Whether all clients use `sandbox.clock`. Then `POST /control/clock` may move it.'],
    ['`file`', '`string`', 'none', 'The file that stores what is written. Without it, the sandbox forgets everything when it stops.'],
    ['`clock`', '`Clock`', 'the system clock', 'The clock of the world.'],
    ['`lively`', '`boolean`', '`false`', 'Whether people react to posts and mention the account. The commands of Fanfare use `true`.'],
  ],
);

const RESTART = `After a restart, the sandbox has the same world, posts, messages and changes of streams. Faults, settings of platforms, the language of a
server and deleted channels do not outlast a restart.`;

const ALONE = `With the sandbox in another terminal, Fanfare uses it like real platforms. **Use a separate folder: beside accounts in \`.env\` or \`fanfare.yaml\`, Fanfare would
send what the sandbox simulates to these accounts.** The start reports it. Replace \`../fanfare\` with the folder of your clone:`;

const IN_TESTS = 'In tests, use `startSandbox` from `fanfare/sandbox`. All options are optional:';

export const CONFIGURATION = [
  SETTINGS,
  RESTART,
  ALONE,
  codeBlock(
    'sh',
    `mkdir -p ../fanfare-try && cp -r rules ../fanfare-try/ && cd ../fanfare-try &&
  node ../fanfare/bin/fanfare.mjs sandbox > .env`,
  ),
  'The sandbox keeps running. Open a second terminal in the folder `fanfare-try`:',
  codeBlock('sh', 'node ../fanfare/bin/fanfare.mjs start'),
  IN_TESTS,
  codeBlock(
    'ts',
    `import { startSandbox } from 'fanfare/sandbox';

await using sandbox = await startSandbox({ seed: 7 });
sandbox.environment; // the variables that point to it
sandbox.onRequest['mastodon']; // those of X, Mastodon, Bluesky and YouTube
sandbox.faults.add({ platform: 'discord', kind: 'resetAfter', times: 1 });`,
  ),
  LIBRARY,
].join('\n\n');

export const PAGES = [
  'Open these pages in a browser. They are the pages that people see on the platforms.',
  table(
    ['address', 'page'],
    [
      [
        '`http://127.0.0.1:8081/discord/view/<channel>`',
        'The messages of a channel or a thread, by name or id. `/discord/view` shows #general.',
      ],
      ['`…/discord/view/<channel>?as=ada`', 'The channel as this member sees it, with ephemeral answers.'],
      ['`…/discord/view/<channel>?guild=Berlin%20Sandbox`', 'A channel of the second server.'],
      ['`…/discord/view/<channel>?limit=200`', 'Up to 1000 messages. Default: 50.'],
      ['`http://127.0.0.1:8081/social`', 'The latest posts of the social platform.'],
      ['`…/social/@fanfare`', 'An account with its posts. `@fanfare` is the account of Fanfare.'],
      ['`…/social/posts/<id>`', 'A post with its replies.'],
    ],
  ),
].join('\n\n');

export const ERRORS = [
  `The control API is below \`/control\`. The bodies and the answers are JSON. It requires no authentication, but it accepts only requests from this machine.
All examples on this page were sent to a sandbox with the clock at 2026-11-20 18:00 UTC. Ids and times on your sandbox are different.`,
  table(
    ['status', 'when'],
    [
      ['200', 'The sandbox did what the request says. The change applies at once.'],
      ['400', 'The request has a mistake. `error` names the field, the value and the allowed values. Nothing changed.'],
      ['403', 'The request comes from a page of another site, or `Host` is not a name of this machine.'],
      ['404', 'There is no such endpoint.'],
      ['415', 'A `POST` without the header `content-type: application/json`.'],
    ],
  ),
].join('\n\n');

export const LIMITS = `- **Clips**: \`POST /control/world\` does not create clips or videos. They come from the streams of the world: a stream that is live has clips after some minutes,
  and a stream that ended has a video.
- **X, Mastodon, Bluesky**: only the routes that Fanfare uses. They run in \`fanfare sandbox\` and in tests, not in \`fanfare start\`.
- **Twitch**: EventSub has the types \`stream.online\`, \`stream.offline\`, \`channel.update\` (version 2), \`channel.raid\` and \`conduit.shard.disabled\`, with
  conduits, webhooks and the WebSocket server \`ws://127.0.0.1:8081/twitch/ws\`. Webhooks must be on your machine.
- **Twitch and Kick**: no webhooks of Kick, and no events of chats. Links to streams lead to the real sites. One team, \`nightshift\`, with the first twelve
  streamers, which cannot be changed.
- **Discord**: no direct messages, no voice, and options of commands only as text, true or false, or a file.
- **Assistant**: a scripted model with a few answers, not a language model.
- **Rate limits**: those of the platforms, but without limits for all requests of an address. Use the fault \`rateLimit\` to test them.
- **Time**: the sandbox runs in real time. To let hours pass, write a [test of the rule](rule-tests.md), which has a simulated clock.
- **Spam filters, moderation and delays** of real platforms. \`delayedVisibility\` and \`delay\` simulate delays.`;
