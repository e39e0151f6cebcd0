import { pluralIn } from '#src/admin/language/plural.ts';

const plural = pluralIn('en');

/** The set-up of a server. */
export const setup = {
  command: { name: 'setup', description: 'Set up the announcements of this server' },

  greeting: {
    title: '## Hello! I announce when streamers go live.',
    about: 'You name the streamers. I post a card when they go live, keep it up to date, and mark its end.',
    who: '-# Members who can manage the server can set me up. It takes a minute.',
    setUp: 'Set up',
    help: 'Help',
  },

  title: (server: string) => `## Set up Fanfare in ${server}`,
  noServer: 'Run this command in a server.',
  channel: {
    title: '**Channel for announcements**',
    none: 'Not chosen yet. Nothing is announced without it.',
    fine: (channel: string) => `✅ ${channel}: I can post there.`,
    pick: 'Choose a channel',
    check: 'Check again',
    gone: '⚠️ The channel was deleted. Choose another one.',
    noMessages: (channel: string) => `⚠️ ${channel} cannot have messages, only posts or other channels. Choose a text channel.`,
  },
  lacks: (channel: string, permissions: string, count: number) =>
    `⚠️ ${channel}: I need the ${plural(count, 'permission', 'permissions')} **${permissions}** there. Open the settings of the channel, allow ${plural(count, 'it', 'them')} for Fanfare under Permissions, and click “Check again”.`,
  ping: {
    title: '**Role to ping**',
    none: 'No one is pinged.',
    role: (role: string) => `${role} is pinged with each new card.`,
    everyone: (members: string) => `@everyone is pinged with each new card: ${members}.`,
    gone: '⚠️ The role was deleted, so no one is pinged. Choose another one.',
    cannot: (role: string) =>
      `⚠️ ${role} is not pinged: allow everyone to mention the role, or give me the permission **Mention Everyone**.`,
    pick: 'No one',
    askEveryone: 'Ping @everyone …',
    question: (members: string) => `⚠️ Each new card would ping **${members}**. Do you want this?`,
    yes: (members: string) => `Yes, ping ${members}`,
    no: 'No',
    members: (figure: string, count: number) => `${figure} ${plural(count, 'member', 'members')}`,
    /** The members of a server whose number Discord does not tell. */
    all: 'all members',
  },
  problems: {
    title: '**Channel for problems**',
    none: 'No alerts. The command `/status` shows problems.',
    fine: (channel: string) => `✅ ${channel}: I report problems there, without pings.`,
    pick: 'No alerts',
    needsOperate: 'Alerts show what only members with the permission **Operate** may see, so only they can choose this channel.',
  },
  live: {
    title: '**Live role**',
    none: 'No role for members who are live.',
    role: (role: string) => `Members get ${role} while they are live: name them in the option **member** of \`/follow add\`.`,
    pick: 'No live role',
    gone: 'The role was deleted, so no member gets it. Choose another one.',
    tooHigh: (role: string) =>
      `${role} is not below my highest role, so I cannot give it. Move my role up in the settings of the server, or choose another role.`,
    managed: (role: string) => `${role} belongs to an integration, so no one can give it. Choose another role.`,
    unsafe: (role: string) => `${role} has permissions of moderators, so I do not give it to members who are live. Choose another role.`,
    alsoPinged: (role: string) =>
      `⚠️ Announcements also ping ${role}. After a stream, the member loses the role, even if they chose it for pings. Choose two different roles.`,
    noPermission: 'I need the permission **Manage Roles** in this server to give members a role.',
  },
  language: {
    title: '**Language**',
    server: 'Messages that everyone sees are in the language of the server.',
    chosen: (language: string) => `Messages that everyone sees are in **${language}**.`,
    ofServer: 'Language of the server',
  },
  zone: {
    title: '**Time zone**',
    ofInstallation: (zone: string) => `Typed times and days are in **${zone}**, the zone of the installation.`,
    chosen: (zone: string) => `Typed times and days are in **${zone}**.`,
    change: 'Change the time zone …',
    form: 'Time zone of this server',
    label: 'Time zone',
    hint: 'Europe/Berlin or a city; empty: the zone of the installation',
    unknown: (typed: string) =>
      `“${typed}” is not the name of a time zone. Write a zone or a city, for example \`Europe/Berlin\` or \`New York\`. With offsets and abbreviations, times can be an hour off after the clocks change.`,
  },
  roles: {
    title: '### Permissions',
    about:
      'Members who can manage the server may do everything. Here, you allow it for more roles. Discord shows `/follow` to everyone, and the other commands only after you allow them for the role in Server Settings → Integrations → Fanfare.',
    setup: '**Set up:** change these settings',
    follow: '**Follow:** add, change and remove streamers',
    post: '**Post:** use `/post`',
    operate: '**Operate:** pause, run and resend',
    answer: '**Answer:** answer questions of automations',
    pick: 'No more roles',
    notYours: 'You can only allow other roles what you may do yourself.',
  },
  buttons: { test: 'Send a test', follow: 'Follow a streamer', roles: 'Permissions', done: 'Done', back: 'Back' },
  foreignChannel: 'This channel is not in this server.',
  cannotPostIn: 'You cannot post in this channel, so you cannot choose it. You need the permission **Send Messages** there.',
  foreignRole: 'This role is not in this server.',
  needsMentionEveryone:
    'You need the permission **Mention Everyone** in this server to choose @everyone, or a role that not everyone can mention.',
  needsManageRoles: 'You need the permission **Manage Roles** in this server to choose roles that I give to members.',
  rolesAbove: 'You can only choose roles below your own highest role.',
  test: {
    needsChannel: 'Choose a channel for announcements first.',
    mark: '-# Test: no one is live, and no one is pinged.',
    sent: (channel: string) => `✅ The test is in ${channel}. It pinged no one.`,
    failed: (reason: string) => `⚠️ The test was not sent: ${reason}`,
  },
  done: {
    title: '## Fanfare is set up',
    notYet: '## Fanfare does not announce yet',
    channel: (channel: string) => `Announcements: ${channel}`,
    next: (add: string, help: string) => `Add streamers with ${add}. ${help} lists all commands.`,
  },
  /** The names of permissions, as Discord shows them. */
  permissions: {
    ViewChannel: 'View Channel',
    SendMessages: 'Send Messages',
    EmbedLinks: 'Embed Links',
    AttachFiles: 'Attach Files',
    ReadMessageHistory: 'Read Message History',
  },
};
