import { z } from 'zod';
import { capabilities } from '#src/clients/assistant/conversations.ts';
import { address, defineAccount, plain, secret, textVariable, together, urlVariableOr } from '#adapters/account.ts';

/** A model behind an OpenAI-compatible endpoint. */
export const account = defineAccount({
  platform: 'assistant',
  title: 'Assistant',
  adapter: 'openai',
  capabilities,
  variables: {
    ASSISTANT_API_KEY: textVariable('Account `assistant`: the API key of the endpoint.', 'sk-…'),
    ASSISTANT_MODEL: textVariable('Account `assistant`: the name of the model.', 'gpt-5-mini'),
    ASSISTANT_URL: urlVariableOr('https://api.openai.com/v1', 'An OpenAI-compatible endpoint.', 'http://localhost:11434/v1'),
  },
  form: z.strictObject({
    platform: z.literal('assistant'),
    model: plain().meta({ description: 'The name of the model.', examples: ['llama3.3'] }),
    apiKey: secret('The API key.', 'LOCAL_KEY'),
    url: address('An OpenAI-compatible endpoint; absent: ASSISTANT_URL.', 'http://localhost:11434/v1').optional(),
  }),
  settings: ({ ASSISTANT_URL: url }) => ({ url }),
  fromEnvironment({ ASSISTANT_API_KEY, ASSISTANT_MODEL }) {
    const model = together({ ASSISTANT_API_KEY, ASSISTANT_MODEL });
    return model && { apiKey: model.ASSISTANT_API_KEY, model: model.ASSISTANT_MODEL };
  },
  open: async (one, { clock }) => (await import('./index.ts')).openai({ ...one, clock }),
  identify: async (one, options) => (await import('./identify.ts')).identify(one, options),
});
