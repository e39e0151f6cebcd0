export * from './containers.ts';
export * from './enumerations.ts';
export * from './records/gathering.ts';
export * from './records/insight.ts';
export * from './records/media.ts';
export * from './records/message.ts';
export * from './records/post.ts';
export * from './records/user.ts';
