import type { Use } from './use-tools.ts';

/** The parts of a streamed answer in the protocol: first the role, then text or calls. */
export function deltasOf(step: string | Use, callId: string): readonly object[] {
  if (typeof step === 'string') {
    return [{ role: 'assistant', content: '' }, ...(step.match(/\s*\S+/g) ?? []).map((content) => ({ content }))];
  }
  const { name, input } = step;
  const pieces = JSON.stringify(input).match(/[^]{1,16}/gu) ?? [];
  const first = { index: 0, id: callId, type: 'function', function: { name, arguments: '' } };
  return [
    { role: 'assistant', content: null, tool_calls: [first] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}

/** The answer without streaming. */
export function messageOf(step: string | Use, callId: string): object {
  if (typeof step === 'string') return { role: 'assistant', content: step };
  const call = { id: callId, type: 'function', function: { name: step.name, arguments: JSON.stringify(step.input) } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

/** The finish reason of the protocol. */
export function endOf(step: string | Use): 'stop' | 'tool_calls' {
  return typeof step === 'string' ? 'stop' : 'tool_calls';
}
