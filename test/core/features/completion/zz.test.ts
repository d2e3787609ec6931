import { test } from 'node:test';
import { complete } from '../cursor.ts';
test('zz', () => {
  const files = { 'skills.config.yaml': 'tools: [{name: a}]\n', 'skills/one.skill.md': '---\nname: one\nversion: 1.0.0\ninput_schema: {a: string}\noutput_schema: {b: string}\n---\n' };
  const show = (label: string, text: string) => console.log(label, complete({ ...files, 'skills/test.skill.md': text }).labels.join(' '));
  show('top', '---\n$0\n---\n');
  show('top after', '---\nname: test\ndescription: x\nversion: 1.0.0\n$0\n---\n');
  show('assert', '---\nsamples: {a: {expect: {prompt: [{type: contains, $0}]}}}\n---\n');
  show('retry', '---\nretry: {max_attempts: 3, $0}\n---\n');
  show('exec', '---\ncomposes: [one]\nexecution:\n  - $0\n---\n');
  show('exec2', '---\ncomposes: [one]\nexecution:\n  $0\n---\n');
  show('body', '---\nname: test\n---\n\n# T\n\n$0\n');
  show('composes', '---\ncomposes:\n  - $0\n---\n');
  show('interrupts', '---\ninterrupts:\n  - {name: before_exit, $0}\n---\n');
  show('step keys', '---\ncomposes: [one]\nexecution:\n  - step: one\n    $0\n---\n');
  show('sample', '---\nsamples: {a: {$0}}\n---\n');
  console.log(complete({ ...files, 'skills/test.skill.md': '---\ncomposes: [one]\nexecution:\n  - $0\n---\n' }).items.filter(i=>i.insertTextFormat===2).map(i => i.label+JSON.stringify(i.textEdit?.newText ?? i.textEditText)).join('\n'));
});
