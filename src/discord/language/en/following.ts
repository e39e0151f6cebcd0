import { pluralIn } from '#src/admin/language/plural.ts';

const plural = pluralIn('en');

/** The followed streamers of a server. */
export const following = {
  command: { name: 'follow', description: 'Choose which streamers are announced in this server' },
  add: { name: 'add', description: 'Announce streamers when they go live' },
  edit: { name: 'edit', description: 'Change the message, the color, the channel or the role of a streamer' },
  list: { name: 'list', description: 'Show the followed streamers' },
  remove: { name: 'remove', description: 'Stop following streamers' },
  import: { name: 'import', description: 'Add up to 100 streamers at once' },
  export: { name: 'export', description: 'Download the followed streamers as YAML' },
  options: {
    streamer: { name: 'streamer', description: 'A name, a link, or several with spaces between them' },
    channel: { name: 'channel', description: 'Where to announce; without it, the channel of /setup' },
    member: { name: 'member', description: 'The member who streams: gets the live role of /setup while live' },
    editedMember: {
      name: 'member',
      description: 'The member who streams: gets the live role of /setup while live. No one: choose this bot',
    },
    ping: { name: 'ping', description: 'The role to ping; without it, the role of /setup' },
    file: { name: 'file', description: 'A file of /follow export, or one with names or links; without it, a form opens' },
    only: { name: 'only', description: 'Words of which the game or the title needs one: Chess, speedrun. All streams: *' },
  },
  title: {
    followed: (count: number) => plural(count, '### ✅ 1 streamer added', `### ✅ ${count} streamers added`),
    none: '### No streamer was added',
    list: (count: number) => plural(count, '### 1 followed streamer', `### ${count} followed streamers`),
    removed: (count: number) => plural(count, '### 1 streamer removed', `### ${count} streamers removed`),
    undone: '### Undone',
    off: (count: number) =>
      count === 0
        ? '### ⏸️ Announcements are off'
        : plural(count, '### ⏸️ 1 streamer is not announced', `### ⏸️ ${count} streamers are not announced`),
    on: (count: number) =>
      count === 0
        ? '### ▶️ Announcements are on'
        : plural(count, '### ▶️ 1 streamer is announced', `### ▶️ ${count} streamers are announced`),
    streamerOff: (name: string) => `### ⏸️ ${name} is not announced`,
    streamerOn: (name: string) => `### ▶️ ${name} is announced`,
    edited: (name: string) => `### ✅ ${name} was changed`,
  },
  next: (channel: string) => `When they go live, a card appears in ${channel}.`,
  lacks: (channel: string, permissions: string) =>
    `⚠️ I cannot post in ${channel} yet. Open the settings of the channel, and allow Fanfare under Permissions: **${permissions}**.`,
  pingsNoOne: 'No one is pinged.',
  messagePingsNoOne: '⚠️ The text pings no one. To ping a role, choose it under “Role to ping”.',
  pings: (role: string) => `It pings ${role}.`,
  member: (member: string) => `${member} gets the live role of \`/setup\` while live.`,
  memberWithoutRole: (member: string) => `⚠️ ${member} gets no role yet: this server has no live role. \`/setup\` chooses it.`,
  changedMeanwhile: (name: string) =>
    `Someone changed **${name}** while your form was open, so nothing was stored. Run \`/follow edit\` again.`,
  notMember: (user: string) => `${user} is not a member of this server. Choose a member.`,
  memberless: 'No member gets the live role for this streamer.',
  noWords: 'Enter at least one word in the option `only`, or `*` to announce all streams.',
  only: (words: string) => `Only streams with one of these words in the game or the title: **${words}**.`,
  added: (name: string, platforms: string) => `**${name}** on ${platforms}`,
  live: (name: string, what: string) => `🔴 **${name}** is live now: ${what}. Announce it?`,
  changed: (names: string) => `Changed: ${names}`,
  unchanged: 'The list already has all of them.',
  renamed: (before: string, after: string) => `**${before}** is called **${after}** now. The new name is stored.`,
  joined: (name: string, platforms: string, channel: string) =>
    `**${name}** is followed on ${platforms} from now on: one card in ${channel} for all platforms of **${name}**.`,
  known: (name: string, channel: string) =>
    `**${name}** is followed already, and announced in ${channel}. \`/follow edit\` changes the channel, the role and the words.`,
  notChannel: (name: string, platforms: string) => `⚠️ **${name}** is not the link of a channel on one of these platforms: ${platforms}.`,
  unknown: (name: string, similar: string | undefined) =>
    similar === undefined
      ? `⚠️ **${name}** was not found. Check the spelling, or paste the link of the channel.`
      : `⚠️ **${name}** was not found. Did you mean ${similar}?`,
  alsoAmbiguous: (names: string) =>
    `⚠️ These names also exist on several platforms, so they were not added: ${names}. Add them with the links of their channels.`,
  ambiguous: (name: string) => `⚠️ **${name}** exists on several platforms. Which one?`,
  all: 'All of them',
  unreachable: (name: string, platform: string) => `⚠️ **${name}**: ${platform} cannot be reached. Try again in a minute.`,
  full: (most: string) => `⚠️ The list is full: a server can follow ${most} streamers. Remove some with \`/follow remove\`.`,
  gone: '⚠️ The channel was deleted. Choose another one with `/follow edit`, or in `/setup` if it is the channel of the server.',
  noTarget: '⚠️ Nothing is announced, because no channel is set up. `/setup` sets one up.',
  noChannel: '⚠️ No channel is set up yet. Click “Set up” and choose one, then add the streamer again.',
  everyone: 'To ping everyone, use the button in `/setup`, which asks again.',
  liveRole: 'The live role of all members is chosen in `/setup`: remove `liveRole` from the file.',
  file: {
    tooLarge: 'The file is too large: the limit is 128 kB.',
    unreachable: 'The file could not be fetched from Discord. Run the command again.',
    noText: 'The file has no text. Attach a file of `/follow export`, or one with names or links.',
  },
  noNames: 'Enter a name or the link of a channel.',
  oneName: 'Name one streamer.',
  tooMany: (most: number) => `Enter at most ${most} names at once.`,
  tooManyInDay: (retryAt: string) => `The members of this server have looked up many names in the last 24 hours. Try again ${retryAt}.`,
  notFollowed: (name: string) => `**${name}** is not followed. Pick one from the list that appears while you type.`,
  nothingChanged: 'Nothing was changed.',
  empty: 'No streamer is followed yet. Use `/follow add` to add one.',
  paused: '⏸️ disabled',
  streamerPaused: (name: string) =>
    `⏸️ **${name}** is disabled, so nothing is announced. \`/automation enable\` with \`streamer\` enables it.`,
  off: '⏸️ Announcements in this server are off. `/automation enable` turns them on.',
  offNext: 'Open cards are still updated. Streams that start before you enable it again are not announced later.',
  onNext: 'The next streams are announced. Streams that are already running are not.',
  stillPaused: (count: number) =>
    plural(
      count,
      '1 streamer stays disabled: `/automation enable` with `streamer` enables one.',
      `${count} streamers stay disabled: \`/automation enable\` with \`streamer\` enables one.`,
    ),
  onlyFollowed:
    'This command is only for the rule `followed`, which announces the streamers of `/follow add`. `/automation pause` pauses other rules.',
  removedNext: 'Open cards are closed, and nothing more is announced.',
  undoneNext: (count: number) => plural(count, '1 streamer is as before.', `${count} streamers are as before.`),
  announced: (name: string) => `✅ **${name}** is announced.`,
  notAnnounced: {
    alreadyAnnounced: (name: string) => `**${name}** was announced already.`,
    notLive: (name: string, words?: string) =>
      words === undefined
        ? `**${name}** is not live anymore. The next stream is announced.`
        : `**${name}** is not live anymore, or the game and the title have none of these words: **${words}**. The next stream with one of them is announced.`,
    unreachable: (name: string) => `🟠 **${name}** was not announced: the platform cannot be reached. Try again in a minute.`,
    other: (name: string, reason: string) => `🟠 **${name}** was not announced: ${reason}`,
  },
  noRule: 'The shipped automation `followed` is not running, so nothing is announced. The operator of the bot can turn it on.',
  line: (name: string, platforms: string, channel: string) => `**${name}** · ${platforms} · ${channel}`,
  buttons: {
    undo: 'Undo',
    enable: 'Enable',
    disable: 'Disable',
    announce: (name: string) => `Announce ${name} now`,
    setUp: 'Set up',
    edit: 'Edit',
    add: 'Follow a streamer',
  },
  form: {
    addTitle: 'Follow streamers',
    names: 'Names or links',
    namesHint: 'ada, twitch.tv/grace, kick.com/linus',
    importTitle: 'Import streamers',
    importNames: 'Up to 100 names or links, or a YAML export',
    editTitle: (name: string) => `Edit ${name}`,
    message: 'Message',
    messageHint: 'Placeholders: {name} {title} {game} {url}',
    color: 'Color, for example #9146ff',
    channel: 'Channel',
    ping: 'Role to ping',
    after: 'After the stream',
    keep: 'Keep the card and show the summary',
    delete: 'Delete the card',
  },
  /** The stream of a test and of a preview. */
  sample: { name: 'Streamer', title: 'The title of the stream', game: 'The game' },
  preview: {
    mark: '-# Preview: only you see it. No one is pinged.',
    failed: (reason: string) => `⚠️ There is no preview: ${reason}`,
  },
  noText: (field: string) => `Write one text for \`${field}\`, in quotes.`,
  noFlag: (field: string) => `Write \`true\` or \`false\` for \`${field}\`, without quotes.`,
  wrongColor: 'Write the color as six hexadecimal digits, for example #9146ff.',
  unknownPlaceholder: (found: string) => `There is no placeholder {${found}}. There are {name}, {title}, {game} and {url}.`,
};
