import type { Fault } from '#src/errors.ts';

/** Buttons to other pages. */
export const paging = { first: 'First', back: 'Back', next: 'Next' };

/** The button that shows a private answer to everyone in the channel. */
export const share = 'Show everyone';

/** Questions of rules and their answers. */
export const answers = {
  nobodyInTime: 'No one answered in time.',
  tooFewInTime: (answers: string) => `Too few members answered in time: ${answers}.`,
  ruleDeleted: 'The rule was deleted, so this question is closed.',
  freeText: 'In your own words',
  nothingInIt: 'The answer was empty. Click the button again and enter an answer.',
  waits: (given: number, needed: number) =>
    `Your answer is stored: ${given} of ${needed}. You can change it until the others have answered.`,
  closed: 'This question is closed: it was answered, or its time is over.',
  needsOperate: 'Only members who may operate the bot can answer this question.',
  needsRole: (roles: string) => `Only members with one of these roles can answer this question: **${roles}**.`,
  taken: 'Your answer was stored. The message does not show it because the question was deleted.',
  stored: 'Your answer was stored.',
  note: (why: string) => `Note: ${why}.`,
  withdrawn: 'New messages after this question were withdrawn before the answer.',
  counted: (choice: string, count: string) => `**${choice}** × ${count}`,
  answered: (choice: string, person: string) => `**${choice}**, answered ${person}`,
};

/** The buttons of rules. */
export const ruleButtons = {
  gone: 'This button no longer works: Fanfare no longer stores its message, or its rule was removed.',
  noRole: (role: string) => `The role **${role}** no longer exists in this server. Ask an administrator.`,
  cannotGive: (role: string) => `I cannot give the role **${role}**: it is above my role, or I may not manage roles. Ask an administrator.`,
  moderatorRole: (role: string) => `The role **${role}** has permissions of moderators, so no button gives it. Ask an administrator.`,
  given: (role: string) => `You now have the role **${role}**. Press again to remove it.`,
  taken: (role: string) => `You no longer have the role **${role}**. Press again to get it back.`,
  needsRole: (roles: string) => `Only members with one of these roles can use this button: **${roles}**.`,
  muted: (item: string) => `**${item}** is muted until it ends: no further announcements. The message is still updated.`,
  alreadyMuted: (item: string) => `**${item}** is already muted until it ends.`,
  over: (item: string) => `**${item}** has already ended, so there is nothing to mute.`,
};

/** The commands of rules. */
export const ruleCommands = {
  needsRole: (roles: string) => `Only members with one of these roles can use this command: **${roles}**.`,
  tooMany: (retryAt: string) => `You have used many commands in the last minute. Try again ${retryAt}.`,
  tooOften: (retryAt: string) => `You have used this command too often. Try again ${retryAt}.`,
  suppressed: (reason: string) => `There is no answer now: ${reason}.`,
  hiddenChannel: 'You cannot see this channel or its earlier messages. Choose another one.',
  nothing: 'There is nothing to show.',
  failed: 'The command could not be answered. Check what you typed, or try again later.',
};

/** Errors of interactions. */
export const errors = {
  restarting: 'The bot is being restarted. Ask again in a minute.',
  yourText: 'You can copy the text from here:',
  stateUnreachable: 'The bot cannot reach its database. Try again in a minute.',
  ours: 'Something went wrong. The log of the bot has the reason. Try again, or ask the operator of the bot.',
  notAllowed:
    'You do not have permission to do this here. An administrator can change most permissions in `/setup`, and the operator of the bot all of them.',
  cannotSendHere: 'You cannot send messages in this channel, so I post nothing here for you.',
  lacksPermission:
    'I lack a Discord permission for this. Allow Fanfare to view the channel, to send messages and embeds there, and to manage roles below its own. `/setup` shows what is missing.',
  messageGone: 'The message was deleted. Run the command again.',
  homeOnly:
    'This is for the whole installation. Only members of the home server of the bot can do it. `/help` shows the commands for this server.',
  notYourAnswer: 'Only the person who ran the command can use this button. Run the command yourself.',
  gone: 'This button is from an earlier version of the bot. Run the command again.',
  commandGone: 'This command no longer exists. Reload Discord to see the current commands.',
  /** Why an action is refused, by code. */
  refused: {
    fileList: () => 'This list is a file of the installation. The operator of the bot can edit the file.',
    entryExists: () => 'Another person has just added one of them. Look at the list, and try again.',
    entryNotFound: () => 'This entry is no longer in the list. Run the command again.',
    entryChanged: () => 'Someone changed this since then, so nothing was stored. Run the command again, or undo the later change first.',
    changeNotFound: () => 'This change cannot be undone: it is older than two years, or of another server.',
    unusableField: () => 'An entry of the list has a value that Fanfare cannot use, for example a color that does not exist.',
    tooManyFields: () => 'An entry of the list would have too many fields.',
    listHasErrors: (lines: string) => `The list has errors, so nothing is imported. Correct these lines:\n${lines}`,
    listFull: () => 'The list is full. Remove some entries first.',
    tooManyPauses: () => 'A rule cannot have more planned pauses. Cancel them first: `/automation resume` with `planned: True`.',
    pauseOver: () => 'This pause would be over already. Enter a later end.',
    runsByCommand: () => 'This rule runs when a member uses its command.',
    runsByWebhook: () => 'This rule runs when another service sends a request to it.',
    listNotFound: () => 'There is no such list. Run the command again.',
    otherServer: () => 'You can only change what belongs to your own server.',
    serverNotFound: () => 'The bot does not know this server yet. Run `/setup`.',
    settingsChanged: () => 'Other people change these settings at the same time, so nothing was stored. Try again.',
  },
  /** `tooLong`: the conversation is longer than the model accepts. */
  assistantFault: (fault: Fault | 'tooLong', soon: string | undefined): string => {
    switch (fault) {
      case 'tooLong':
        return 'The conversation is too long for the model. Start a new conversation.';
      case 'rateLimited':
        return `The assistant receives too many questions at the moment. Try again ${soon ?? 'in a minute'}.`;
      case 'quotaExhausted':
        return 'The quota of the assistant is used up. The operator of the bot has to check the plan and the billing at its provider.';
      case 'unauthorized':
      case 'forbidden':
        return 'The provider of the assistant rejects the key of the bot. The operator of the bot has to check `ASSISTANT_API_KEY`.';
      case 'missing':
        return 'The provider of the assistant does not know the model. The operator of the bot has to set `ASSISTANT_MODEL` to one of its models.';
      case 'malformed':
        return 'The response of the provider cannot be read. The operator of the bot has to check `ASSISTANT_URL`; the log has the reason.';
      case 'unreachable':
        return 'The assistant cannot be reached. Try again in a minute; if that does not help, the operator of the bot has to check `ASSISTANT_URL`.';
      case 'rejected':
      case 'duplicate':
        return 'The provider of the assistant rejects the question. Rephrase it. The log of the bot has the reason.';
      case 'unavailable':
        return 'The provider of the assistant reports an error. Try again in a minute. The log of the bot has the reason.';
      case 'unanswered':
        return 'The provider of the assistant did not complete the answer. Try again in a minute.';
    }
  },
  fault: (platform: string, fault: Fault, soon: string | undefined): string => {
    switch (fault) {
      case 'rateLimited':
        return `${platform} limits the requests of the bot. Try again ${soon ?? 'in a minute'}.`;
      case 'quotaExhausted':
        return `The quota of the bot at ${platform} is used up. The operator of the bot can raise it.`;
      case 'forbidden':
        return `${platform} does not allow this for the account of the bot. The log of the bot has the reason.`;
      case 'unauthorized':
        return `${platform} rejects the credentials of the bot. The operator of the bot has to check the account.`;
      case 'missing':
        return `${platform} has no such item. Check the spelling, or pick one from the list that appears while you type.`;
      case 'rejected':
      case 'duplicate':
        return `${platform} rejected the request. Change it and try again.`;
      case 'unavailable':
        return `${platform} has an outage. Try again ${soon ?? 'in a minute'}.`;
      case 'unreachable':
      case 'unanswered':
        return `${platform} did not answer. Try again in a minute.`;
      case 'malformed':
        return `${platform} returned an unexpected response. Try again in a minute.`;
    }
  },
};
