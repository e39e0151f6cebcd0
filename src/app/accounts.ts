import type { Credentials } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import type { Accounts } from '#src/rules/accounts.ts';

/** The accounts that rules may name: those with credentials, or all of them where the sandbox plays. */
export function accountsOf({ credentials, sandbox }: Pick<Config, 'credentials' | 'sandbox'>): Accounts {
  const has = (name: keyof Credentials): readonly string[] => (sandbox === 'inside' || credentials[name] ? [name] : []);
  const streaming = [...has('twitch'), ...has('kick')];
  const [social, discord, assistant] = [has('sandbox'), has('discord'), has('assistant')];
  return {
    // The sandbox plays both over one world: a rule that names neither reads it once.
    streaming: { all: streaming, defaults: sandbox === 'none' ? streaming : has('twitch'), requestsPerMinute: { twitch: 800 } },
    social: { all: social, defaults: social, textLimits: TEXT_LIMITS },
    discord: { all: discord, defaults: discord },
    assistant: { all: assistant, defaults: assistant },
    // What Fanfare itself keeps is always there.
    history: { all: ['history'], defaults: ['history'] },
  };
}
