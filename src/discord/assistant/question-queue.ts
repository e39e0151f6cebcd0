/** Runs the tasks of one key one after the other, in the order of the calls. */
export function keyedQueue(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve();
    const current = before.then(task, task);
    last.set(key, current);
    try {
      return await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  };
}

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
