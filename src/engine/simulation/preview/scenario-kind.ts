/**
 * The event of a scenario: a change of an item, named by the kind of the list;
 * `slot`: each poll; `time`: the slot of a rule that watches nothing; `used`: a member uses its command; `received`: a request to its webhook arrives;
 * `stays` and `ends`: later polls of an item; `repeats`: a multiple of `every` of a step.
 */
export type ScenarioKind =
  | 'goesLive'
  | 'enters'
  | 'isNew'
  | 'comes'
  | 'isThere'
  | 'leaves'
  | 'moves'
  | 'changes'
  | 'rises'
  | 'falls'
  | 'slot'
  | 'time'
  | 'used'
  | 'received'
  | 'stays'
  | 'repeats'
  | 'ends'
  | 'quietEnds'
  | 'limitEnds'
  | 'gathers';
