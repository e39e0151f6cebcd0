import type { Fault } from '#src/errors.ts';

/** What is told to the person for whom something did not work. */
export const errors = {
  restarting: 'The bot is being restarted. Ask again in a minute.',
  ours: 'Something went wrong here, and the log of the bot has it. Try again, or ask whoever runs the bot.',
  notAllowed: 'You may not do this here. Whoever runs the bot says who may.',
  gone: 'This is from an earlier version of the bot and leads nowhere any more. Give the command again.',
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
        return `${platform} is asked too much at the moment. Try again ${soon ?? 'in a minute'}.`;
      case 'quotaExhausted':
        return `What the bot may ask of ${platform} is used up. Whoever runs it can raise the quota.`;
      case 'unauthorized':
      case 'forbidden':
        return `${platform} does not let the bot in. Whoever runs it has to look at its account there.`;
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
