/** A command as a user types it, and its output. The output of a command that reads live data is one of many. */
interface CommandExample {
  readonly run: string;
  readonly output: string;
}

/** An example of each command, for the reference. */
export const COMMAND_EXAMPLES: Readonly<Record<string, CommandExample>> = {
  start: {
    run: 'fanfare start',
    output: `  Fanfare runs on the sandbox: no account is used, nothing leaves this machine
  http://127.0.0.1:8080
  http://127.0.0.1:8081/discord/view/general  the simulated Discord

  rules: live-card, valorant-top

2026-11-21T16:49:39Z info  Discord is connected as=Fanfare changed=true`,
  },
  check: {
    run: 'fanfare check rules/valorant-top.yaml',
    output: `1 file, 1 rule ready to run: no errors, 0 warnings`,
  },
  test: {
    run: 'fanfare test rules/valorant-top.yaml',
    output: `valorant-top
  ✓ announces nothing at the first poll, then streams that stay for ten seconds
  ✓ does not announce a stream that leaves within ten seconds
  ✓ ignores streams with less than a thousand viewers
  ✓ announces no streamer twice within six hours
  ✓ a failed poll and a restart in between lose nothing
5 passed, 0 failed`,
  },
  explain: {
    run: 'fanfare explain valorant-top',
    output: `valorant-top  Announces streams that enter the top five of VALORANT.
rules/valorant-top.yaml

Runs every 10s. Next runs (UTC):
  Saturday, 21 November 2026 at 16:50:00 UTC
  Saturday, 21 November 2026 at 16:50:10 UTC
…`,
  },
  pause: {
    run: 'fanfare pause valorant-top',
    output: `valorant-top is paused. To resume it: fanfare resume valorant-top`,
  },
  resume: {
    run: 'fanfare resume valorant-top',
    output: `valorant-top is resumed. Announcements from the pause are not sent later.`,
  },
  run: {
    run: 'fanfare run valorant-top',
    output: `valorant-top ran: 0 announcements.
  unchanged   5 streams, none of them new`,
  },
  resend: {
    run: 'fanfare resend 3f2a81c0',
    output: 'live-card, card: discord.send through discord is sent again within 30 seconds, or at the next start of Fanfare.',
  },
  answer: {
    run: 'fanfare answer',
    output: `approve-posts, verdict → #moderators: discord.ask through discord, 20 Nov, 18:00
  question:  Send this?
  fanfare answer 6f1c2a9e "send"
  fanfare answer 6f1c2a9e "drop"`,
  },
  keep: {
    run: 'fanfare keep stream-number',
    output: `stream-number: streams is 12.`,
  },
  resolve: {
    run: 'fanfare resolve',
    output: `There are no unknown deliveries.`,
  },
  user: {
    run: 'fanfare user list',
    output: `admin   Ada  (password:ada)
editor  Grace  (discord:1202584131993600007)`,
  },
  token: {
    run: 'fanfare token list',
    output: '3f2a81c0  metrics  no expiry, last used 2026-11-21  prometheus',
  },
  lists: {
    run: 'fanfare lists add team ada twitch=ada kick=ada_k',
    output: `team: added ada
To undo it: fanfare lists undo 0c6d5a4e-6f0b-4a38-9a26-5d1e9f0d3c11`,
  },
  servers: {
    run: 'fanfare servers',
    output: '1202584131993600001  Chess Club  channel 1202584131993600011, ping everyone  joined 2026-11-22T18:00:00.000Z',
  },
  rules: {
    run: 'fanfare rules versions',
    output: `*    3  2026-11-21T16:52:10Z  ada (command line); 1 changed; repeats version 1
     2  2026-11-21T16:51:03Z  ci; 1 changed; 4f2c9ad
     1  2026-11-21T16:49:37Z  folder of worker-1; 2 new

* in force`,
  },
  backup: {
    run: 'fanfare backup copy.sqlite',
    output: `Backup written to copy.sqlite (0.4 MB).
Not in the backup: ./rules. Copy these files yourself, for example with cp.`,
  },
  restore: {
    run: 'fanfare restore copy.sqlite',
    output: `State restored from copy.sqlite, as of 2026-11-21T16:49:40.000Z.
The previous state is in data/fanfare.sqlite.before-2026-11-21T16-49-57-656Z. Delete it when you no longer need it.
Next: start Fanfare. Before it sends anything, it searches the platforms for posts that the backup does not have.
If the search has no clear result, you decide: fanfare resolve lists these deliveries.`,
  },
  migrate: {
    run: 'fanfare migrate --to env:NEW_DATABASE',
    output: `rule_state       2
episode         20
rule_source      2
firing           3
delivery         6
decision        14
recorded_poll    8
State moved to db.example/fanfare: 55 rows in 7 tables, read back and equal.
The previous state is now named data/fanfare.sqlite.moved-2026-11-21T16-49-57-656Z. Delete it when you no longer need it.
Next: set DATABASE_URL, and start Fanfare.`,
  },
  preview: {
    run: 'fanfare preview valorant-top',
    output: `No sandbox of a running Fanfare answered at HOST and PORT, so this preview uses a new one. Its streams differ from those of fanfare start.

valorant-top  Announces streams that enter the top five of VALORANT.
streaming.getGameStreams through twitch: 100 items read, 5 match this rule.

JollyMeteorTV enters the list
  post: social.createPost through sandbox
    │ JollyMeteorTV is now #1 in VALORANT with 27.9K viewers https://www.twitch.tv/jollymeteortv
    text 90 of 500 · pings nobody
  step 2: discord.send through discord → #stream-news
    │ New in the top five: JollyMeteorTV https://example.invalid/post
    content 63 of 2000 · pings nobody
…`,
  },
  replay: {
    run: 'fanfare replay valorant-top --since 7d',
    output: `valorant-top  Announces streams that enter the top five of VALORANT.
The current file was run on 2 recorded polls from Sat, 21 Nov 2026, 16:49:37 to Sat, 21 Nov 2026, 16:49:40 (UTC).
The first poll announces nothing.

Messages now: 0. Messages sent then: 0.
= 0 same   ~ 0 changed   + 0 only now   - 0 only then`,
  },
  init: {
    run: 'fanfare init bot',
    output: `written   rules/first-rule.test.yaml
written   rules/first-rule.yaml
written   fanfare.yaml
written   .env.example
written   .gitignore
written   .vscode/rule.schema.json
written   .vscode/fanfare.schema.json
written   .vscode/settings.json
written   .vscode/extensions.json

Next:
  cd bot
  npx fanfare test          run the test of the first rule
  npx fanfare start         run the rule on simulated platforms
  npx fanfare new           create your own rule
  npx fanfare auth discord  connect Discord (or twitch, kick, x, …)`,
  },
  new: {
    run: 'fanfare new --kind live --channels ada,grace --say discord --discord-channel live --id my-streams',
    output: `# rules/my-streams.yaml
id: my-streams
enabled: sandbox # written on the sandbox; true runs it with real accounts
about: "One card for each stream of ada, grace: sent at the start, updated during the stream, closed at the end."

when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada, grace] }
  grace: 10m # a stream that returns within this time is the same stream

…`,
  },
  schema: {
    run: 'fanfare schema --config',
    output: `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
…`,
  },
  capabilities: {
    run: 'fanfare capabilities twitch',
    output: `twitch (streaming): 10 native
  getUser           read            native       Without the number of followers, which only the channel can read.
  getGameVideos     list (feed)     native       At most 500 videos per game, without the game, which Twitch does not state for videos.
    languages                       native       One language per request. With several, the order of TRENDING is approximate.
…`,
  },
  doctor: {
    run: 'fanfare doctor',
    output: `✓ Node: v24.21.0
✓ data folder: data is writable; 73.6 GiB free
! accounts: none; Fanfare runs on the sandbox
    connect one: npx fanfare auth twitch
✓ rules: 2 ready to run

1 warning.`,
  },
  auth: {
    run: 'fanfare auth twitch',
    output: `No twitch account is configured yet. To connect one:
  1. Open https://dev.twitch.tv/console/apps and choose Register Your Application.
  2. Name: your choice. OAuth Redirect URLs: http://localhost. Category: Application Integration. Client Type: Confidential.
  3. Choose Manage, then New Secret. Twitch shows the secret once.
Client ID
gp762nuuoqcoxypju8c569th9wz7q5
Client Secret
Written to .env: TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET
✓ twitch: it answers; the top game is Just Chatting
If Fanfare is running, restart it to use this account.`,
  },
  sandbox: {
    run: 'fanfare sandbox',
    output: `TWITCH_CLIENT_ID=sandboxtwitchclient
TWITCH_CLIENT_SECRET=sandbox-twitch-secret
TWITCH_API_URL=http://127.0.0.1:8081/twitch/helix
…`,
  },
  completion: {
    run: 'fanfare completion words -- rules r',
    output: `rollback`,
  },
  bench: { run: 'fanfare bench', output: 'The startup time, the memory, and the time of each measured operation.' },
};
