/** Messages over streams: what is read is what was written, however the bytes come. */
import { strict as assert } from 'node:assert';
import { PassThrough } from 'node:stream';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { WholeMessageReader, WholeMessageWriter } from '../../../server/src/hosts/whole-messages.ts';

/** What a reader tells of these pieces of bytes. */
function read(...pieces: readonly Uint8Array[]): { messages: unknown[]; errors: string[] } {
  const stream = new PassThrough();
  const reader = new WholeMessageReader(stream);
  const messages: unknown[] = [];
  const errors: string[] = [];
  reader.onError((error) => errors.push(error.message));
  reader.listen((message) => messages.push(message));
  for (const piece of pieces) stream.emit('data', Buffer.from(piece));
  return { messages, errors };
}

const written = (message: unknown, header = 'Content-Length: '): Buffer => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`${header}${body.length}\r\n\r\n`), body]);
};

test('a message is read in whatever pieces its bytes come', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      fc.array(fc.record({ method: text }, { noNullPrototype: true }), { maxLength: 5 }),
      fc.array(fc.nat(400)),
      (messages, cuts) => {
        const bytes = Buffer.concat(messages.map((message) => written(message)));
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        assert.deepEqual(read(...pieces), { messages, errors: [] });
      },
    ),
  );
});

test('other headers, and the case of their names, are no matter', () => {
  const bytes = written({ id: 1 }, 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:');
  assert.deepEqual(read(bytes), { messages: [{ id: 1 }], errors: [] });
});

test('what cannot be read is told, and what follows it is read', () => {
  const noJson = Buffer.from('Content-Length: 3\r\n\r\n{,}');
  const noLength = Buffer.from('Content-Length: many\r\n\r\n');
  const { messages, errors } = read(Buffer.concat([noJson, noLength, written({ id: 2 })]));
  assert.deepEqual(messages, [{ id: 2 }]);
  assert.equal(errors.length, 2);
  assert.match(errors[1] ?? '', /has to have a Content-Length.*many/s);
});

test('a long message is put together once, however many pieces it comes in', () => {
  const bytes = written({ text: 'x'.repeat(3_000_000) });
  const pieces = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, index) =>
    bytes.subarray(index * 100, (index + 1) * 100),
  );
  const concat = mock.method(Buffer, 'concat');
  assert.equal(read(...pieces).messages.length, 1);
  concat.mock.restore();
  assert.ok(concat.mock.callCount() <= 2, `${concat.mock.callCount()} times`);
});

test('what is written goes to the stream in one piece, counted in bytes', async () => {
  const stream = new PassThrough();
  const pieces: string[] = [];
  stream.on('data', (piece) => pieces.push(String(piece)));
  await new WholeMessageWriter(stream).write({ jsonrpc: '2.0', method: 'é' } as never);
  assert.deepEqual(pieces, ['Content-Length: 31\r\n\r\n{"jsonrpc":"2.0","method":"é"}']);
});
