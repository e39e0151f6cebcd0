export { Person } from '#src/clients/operation/record.ts';
export * from './containers.ts';
export * from './enumerations.ts';
export * from './records.ts';
