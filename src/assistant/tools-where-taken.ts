import { PlatformError } from '#src/errors.ts';
import type { AnswerRequest, AssistantPlatform, Prompt } from './port.ts';

/** A model that is asked again without tools where it refuses a question with them: not every one knows what they are. */
export function toolsWhereTaken(platform: AssistantPlatform): AssistantPlatform {
  return {
    name: platform.name,
    account: platform.account,
    model: platform.model,

    async *answer(request) {
      let hasBegun = false;
      try {
        for await (const piece of platform.answer(request)) {
          hasBegun = true;
          yield piece;
        }
      } catch (error) {
        const isRefusal = error instanceof PlatformError && error.fault === 'rejected';
        if (hasBegun || !isRefusal || request.tools === undefined) throw error;
        yield* platform.answer(withoutTools(request));
      }
    },
  };
}

/** The same without a word of tools, also not of those that were used before. */
function withoutTools({ messages, signal }: AnswerRequest): AnswerRequest {
  const spoken = messages.flatMap((prompt): readonly Prompt[] => {
    if (prompt.role === 'tool') return [{ role: 'user', text: prompt.text }];
    if (prompt.role !== 'assistant') return [prompt];
    return prompt.text === '' ? [] : [{ role: 'assistant', text: prompt.text }];
  });
  return { messages: spoken, signal };
}
