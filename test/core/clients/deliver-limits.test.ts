/** Texts that are too long for a client (docs/clients.md, "Delivered"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { limited, type TextLimit } from '../../../server/src/clients/pipeline/deliver-limits.ts';
import { pipelineOf } from '../../../server/src/clients/pipeline/pipelines.ts';

const parts = (content: string) => ({ before: '<a>\n', content, after: '\n</a>' });
const textOf = ({ before, content, after }: ReturnType<typeof limited>): string => before + content + after;

const START: TextLimit = { characters: 30, keeps: 'start', to: 20, text: 'Cut {size} KB:\n{content}\n...' };
const LINES: TextLimit = { bytes: 40, lines: 5, keeps: 'lines', text: '{content}\n...{left} left out...' };
const ENDS: TextLimit = { lines: 5, characters: 200, keeps: 'ends', to: 60, mark: '\n[…]\n', text: 'Cut:\n{content}' };

describe('a text that is too long', () => {
  it('is changed only over the limit', () => {
    const short = parts('x'.repeat(21));
    assert.equal(textOf(short).length, 30);
    assert.equal(limited(short, [START]), short);
    assert.equal(limited(parts('x'.repeat(22)), [START]).cut?.of, 31);
  });

  it('keeps its first characters up to a line break', () => {
    const made = limited(parts('one\ntwo\nthree four five six'), [START]);
    assert.equal(textOf(made), 'Cut 0 KB:\n<a>\none\ntwo\n...');
    assert.deepEqual(made.cut, { start: 11, end: 0, of: 36 });
    assert.equal(made.content, 'one\ntwo');
    assert.equal(textOf(limited(parts(`${'x'.repeat(50)}`), [{ ...START, to: 3 }])), 'Cut 0 KB:\n<a>\n...');
  });

  it('keeps its first lines, and says how many lines or bytes are left out', () => {
    const lines = ['1', '2', '3', '4', '5', '6'].join('\n');
    assert.equal(textOf(limited(parts(lines), [LINES])), '<a>\n1\n2\n3\n4\n...3 lines left out...');
    const wide = textOf(limited(parts(`é${'x'.repeat(20)}\nü${'y'.repeat(30)}`), [LINES]));
    assert.equal(wide, `<a>\né${'x'.repeat(20)}\n...38 bytes left out...`);
  });

  it('keeps a fifth from its start and the rest from its end', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 10}`);
    const text = textOf(limited(parts(lines.join('\n')), [ENDS]));
    assert.equal(text, 'Cut:\n<a>\n[…]\nline 47\nline 48\nline 49\n</a>');
  });

  it('stays whole if the new text is not shorter', () => {
    const one = parts('1\n2\n3\n4\n5\n6');
    assert.equal(limited(one, [ENDS]), one);
  });

  it('is changed by the first limit that it exceeds', () => {
    const text = parts('x\n'.repeat(30));
    assert.match(textOf(limited(text, [START, LINES])), /^Cut/);
    assert.match(textOf(limited(text, [LINES, START])), /left out/);
  });

  it('never loses a character that it does not count', () => {
    for (const limit of [START, LINES, ENDS]) {
      for (let length = 0; length < 90; length++) {
        const whole = parts('ab\n'.repeat(length));
        const { cut } = limited(whole, [limit]);
        if (cut) assert.ok(cut.start + cut.end < cut.of && cut.of === textOf(whole).length, `${limit.keeps} ${length}`);
      }
    }
  });
});

it('only limits with a size are in the data', () => {
  for (const id of ['qwen-code', 'opencode']) {
    const limits = pipelineOf(id)?.deliver?.model.limits ?? [];
    assert.ok(limits.length > 0);
    for (const { characters, bytes, lines } of limits) assert.ok((characters ?? bytes ?? lines ?? 0) > 0);
  }
});
