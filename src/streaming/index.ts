export * from './containers.ts';
export * from './enumerations.ts';
export * from './records.ts';
