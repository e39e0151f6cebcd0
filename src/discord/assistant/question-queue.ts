/** An answer ended because its conversation was forgotten. */
export class ConversationForgotten extends Error {
  override readonly name = 'ConversationForgotten';

  constructor() {
    super('the conversation was deleted');
  }
}

/** A question from its arrival to the end of its answer. */
interface ActiveQuestion extends Disposable {
  /** Aborted with a {@link ConversationForgotten}. */
  readonly signal: AbortSignal;
}

/** The questions that wait or are being answered, by conversation. */
export interface ActiveQuestions {
  enter(conversation: string): ActiveQuestion;
  /** Aborts the questions of a conversation, and those that enter it until the result is disposed of. */
  close(conversation: string): Disposable;
}

export function activeQuestions(): ActiveQuestions {
  const active = new Map<string, Set<AbortController>>();
  const closed: string[] = [];

  return {
    enter(conversation) {
      const question = new AbortController();
      const others = active.get(conversation) ?? new Set();
      active.set(conversation, others.add(question));
      if (closed.includes(conversation)) question.abort(new ConversationForgotten());
      return {
        signal: question.signal,
        [Symbol.dispose]() {
          others.delete(question);
          if (others.size === 0 && active.get(conversation) === others) active.delete(conversation);
        },
      };
    },

    close(conversation) {
      closed.push(conversation);
      for (const question of active.get(conversation) ?? []) question.abort(new ConversationForgotten());
      return { [Symbol.dispose]: () => void closed.splice(closed.indexOf(conversation), 1) };
    },
  };
}
