/**
 * The items of all reads that are answered: what some platforms have is worth showing while another is down. Rejects where none is answered.
 */
export async function itemsOf<T>(reads: readonly Promise<readonly T[]>[]): Promise<readonly T[]> {
  const answers = await Promise.allSettled(reads);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed && answers.every(({ status }) => status === 'rejected')) throw failed.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
