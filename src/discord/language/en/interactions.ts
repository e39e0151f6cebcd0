import type { Fault } from '#src/errors.ts';

/** Buttons to other pages. */
export const paging = { first: 'First', back: 'Back', next: 'Next' };

/** Questions of rules and their answers. */
export const answers = {
  nobodyInTime: 'Nobody answered in time.',
  freeText: 'In your own words',
  nothingInIt: 'The answer was empty. Press the button again and write an answer.',
  closed: 'This question is closed: it was answered, or its time is over.',
  taken: 'Your answer was stored. The message does not show it because the question was deleted.',
  answered: (choice: string, person: string) => `**${choice}**, answered ${person}`,
};

/** Errors of interactions. */
export const errors = {
  restarting: 'The bot is being restarted. Ask again in a minute.',
  ours: 'Something went wrong. The log of the bot has the reason. Try again, or ask the operator of the bot.',
  notAllowed: 'You do not have permission to do this here. The operator of the bot sets the permissions.',
  gone: 'This button is from an earlier version of the bot. Run the command again.',
  assistantFault: (fault: Fault, soon: string | undefined): string => {
    switch (fault) {
      case 'rateLimited':
        return `The assistant gets too many questions at the moment. Try again ${soon ?? 'in a minute'}.`;
      case 'quotaExhausted':
        return 'The quota of the assistant is used up. The operator of the bot has to check the plan and the billing at its provider.';
      case 'unauthorized':
      case 'forbidden':
        return 'The provider of the assistant refuses the key of the bot. The operator of the bot has to check `ASSISTANT_API_KEY`.';
      case 'missing':
        return 'The provider of the assistant does not know the model. The operator of the bot has to set `ASSISTANT_MODEL` to a model that it has.';
      case 'malformed':
        return 'The answer of the assistant cannot be read. The operator of the bot has to check `ASSISTANT_URL`; the log has the reason.';
      case 'unreachable':
        return 'The assistant cannot be reached. Try again in a minute; if that does not help, the operator of the bot has to check `ASSISTANT_URL`.';
      case 'rejected':
      case 'duplicate':
        return 'The provider of the assistant refuses the question. Ask in other words; the log of the bot has the reason.';
      default:
        return 'The assistant does not answer as it should. Try again in a minute.';
    }
  },
  fault: (platform: string, fault: Fault, soon: string | undefined): string => {
    switch (fault) {
      case 'rateLimited':
        return `${platform} limits the requests of the bot. Try again ${soon ?? 'in a minute'}.`;
      case 'quotaExhausted':
        return `The quota of the bot at ${platform} is used up. The operator of the bot can raise it.`;
      case 'unauthorized':
      case 'forbidden':
        return `${platform} refuses the bot. The operator of the bot has to check its account there.`;
      case 'missing':
        return `${platform} does not have that. Check the spelling, or pick from the list that appears while you type.`;
      case 'rejected':
      case 'duplicate':
        return `${platform} did not accept that. Try it in other words.`;
      default:
        return `${platform} does not answer as it should. Try again in a minute.`;
    }
  },
};
