/** The words for true and false in older versions of YAML. */
export const YAML_1_1: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['no', 'false'],
  ['off', 'false'],
]);

/** Values of other tools and of earlier versions, and those with the same meaning. */
export const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    private: ['followers'],
    queue: ['hold', 'queued'],
    delay: ['hold'],
    defer: ['hold'],
    later: ['hold'],
    wait: ['hold'],
    started: ['entered'],
    online: ['entered'],
    live: ['entered'],
    joined: ['entered'],
    added: ['entered'],
    new: ['entered'],
    ended: ['left'],
    offline: ['left'],
    gone: ['left'],
    removed: ['left'],
    list: ['slot'],
    skip: ['drop'],
    ignore: ['drop', 'continue'],
    discard: ['drop'],
    text: ['string'],
    string: ['text'],
    number: ['integer'],
    float: ['number'],
    double: ['number'],
    int: ['integer'],
    bool: ['boolean'],
    date: ['time'],
    datetime: ['time'],
    member: ['user'],
    select: ['choice'],
  }),
);
