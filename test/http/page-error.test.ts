import { expect, test } from 'vitest';
import { pageError, responseError, type RequestInfo } from '#src/http/errors.ts';

const REQUEST: RequestInfo = { platform: 'demo', method: 'POST', path: '/things', host: 'api.example.org' };
const write: RequestInfo = { ...REQUEST, refusesInJson: true };

test.for([
  ['a page', 'to a write', REQUEST, ' <html>'],
  ['a page', 'to a read', { ...REQUEST, method: 'GET' }, '<html>'],
  ['a text', 'to a write whose platform refuses in JSON', write, 'OK'],
  ['a page', 'instead of XML', { ...REQUEST, answersInXml: true }, '<html>'],
] as const)('%s in answer %s is no success', ([, , request, text]) => {
  expect(pageError(request, { status: 200, headers: {}, text })).toMatchObject({
    fault: 'malformed',
    status: 200,
    message: 'demo: POST /things at api.example.org returned an unexpected response: it is not JSON: check the address of the API.'.replace(
      'POST',
      request.method,
    ),
  });
});

test.for([
  ['JSON', 'to a write', write, '{"id":"1"}'],
  ['nothing', 'to a write', write, ''],
  ['a line break', 'to a write', write, '\n'],
  ['a text', 'to a read, which parses it', { ...write, method: 'GET' }, 'OK'],
  ['a text', 'to a write whose platform may refuse in text', REQUEST, 'OK'],
  ['a document', 'in XML that is expected', { ...REQUEST, answersInXml: true }, '\n<?xml version="1.0"?><feed/>'],
] as const)('%s in answer %s is a success', ([, , request, text]) => {
  expect(pageError(request, { status: 200, headers: {}, text })).toBeUndefined();
});

test.for([
  [REQUEST, 'api.example.org'],
  [{ ...REQUEST, host: undefined }, 'this'],
] as const)('the advice for a 405 names the address as a possible cause', ([request, address]) => {
  expect(responseError(request, { status: 405, headers: {}, text: '' }, 'rejected', 0).message).toBe(
    `demo: POST /things was answered with 405: the platform rejects the request: check its parameters, or ${address} is not the address of the API.`,
  );
});
