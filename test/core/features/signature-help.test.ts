/** The signature that is shown while the user types arguments. The active parameter is in «guillemets». */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { signatureHelp } from '../../../server/src/features/signature-help.ts';
import { at } from './cursor.ts';

const client = { offsets: true, noneActive: true };

function signatureIn(source: string): string | undefined {
  const { file, offset } = at(source);
  const help = signatureHelp(file, offset, client);
  const signature = help?.signatures[0];
  if (!help || !signature) return undefined;
  const place = signature.parameters?.[help.activeParameter ?? -1]?.label;
  if (!Array.isArray(place)) return signature.label;
  const [start, end] = place;
  return `${signature.label.slice(0, start)}«${signature.label.slice(start, end)}»${signature.label.slice(end)}`;
}

const inTemplate = (template: string) =>
  signatureIn(`---\nname: test\ninput_schema: {cast: string[]}\n---\n\n## PromptTemplate: main\n\n${template}\n`);

test('shows filters, tests and functions with the active argument', () => {
  assert.equal(inTemplate('{{ cast | replace($0"a", "b") }}'), 'replace(«from», to)');
  assert.equal(inTemplate('{{ cast | replace("a", "$0b") }}'), 'replace(from, «to»)');
  assert.equal(inTemplate('{% if cast is startingwith($0) %}{% endif %}'), 'startingwith(«text»)');
  assert.equal(inTemplate('{{ range(1, 4, $0) }}'), 'range(lower, upper?, «step?»)');
  assert.equal(inTemplate('{% for x in cast %}{{ loop.cycle("a", $0) }}{% endfor %}'), 'cycle(«*values»)');
  assert.equal(inTemplate('{% filter replace("a", $0) %}a{% endfilter %}'), 'replace(from, «to»)');
});

test('highlights the parameter that a keyword argument names', () => {
  assert.equal(inTemplate('{{ cast | dictsort(reverse=$0) }}'), 'dictsort(by=…, case_sensitive=…, «reverse=…»)');
  assert.equal(inTemplate('{{ dict(a=$0) }}'), 'dict(base?, «*entries»)');
});

test('shows macros from the template and from imported templates', () => {
  const macro = '{% macro line(who, tone="grim") %}{{ who }} {{ tone }}{% endmacro %}';
  assert.equal(inTemplate(`${macro}{{ line("a", $0) }}`), 'line(who, «tone="grim"»)');
  assert.equal(inTemplate(`${macro}{{ line(tone=$0) }}`), 'line(who, «tone="grim"»)');
  const other = `\n\n## PromptTemplate: parts\n\n${macro}`;
  assert.equal(inTemplate(`{% from "parts" import line as l %}{{ l($0) }}${other}`), 'line(«who», tone="grim")');
  assert.equal(inTemplate(`{% import "parts" as p %}{{ p.line("a", $0) }}${other}`), 'line(who, «tone="grim"»)');
});

test('shows signatures in unfinished code', () => {
  assert.equal(inTemplate('{{ cast | replace($0'), 'replace(«from», to)');
  assert.equal(inTemplate('{{ cast | replace("a, $0'), 'replace(«from», to)');
  assert.equal(inTemplate('{{ cast | replace("a", $0\n\nProse.\n{{ cast }}'), 'replace(from, «to»)');
  assert.equal(inTemplate('{{ cast | round(2$0 }}'), 'round(«precision?»)');
  assert.equal(inTemplate('{{ range([1, 2], $0'), 'range(lower, «upper?», step?)');
});

test('shows the innermost call, and the outer call after the inner call ends', () => {
  assert.equal(inTemplate('{{ range(cast | replace("a", $0)) }}'), 'replace(from, «to»)');
  assert.equal(inTemplate('{{ range(cast | replace("a", "b"), $0) }}'), 'range(lower, «upper?», step?)');
});

test('shows signatures in YAML conditions', () => {
  const condition = (text: string) =>
    signatureIn(`---\nname: test\ninterrupts:\n  - name: before_exit\n    when: ${text}\n---\n`);
  assert.equal(condition('cast is startingwith($0)'), 'startingwith(«text»)');
  assert.equal(condition('"cast | replace(\\"a\\", $0)"'), 'replace(from, «to»)');
});

test('highlights no parameter for a surplus argument', () => {
  assert.equal(inTemplate('{{ cast | replace("a", "b", $0) }}'), 'replace(from, to)');
});

test('shows nothing outside of calls', () => {
  assert.equal(inTemplate('{{ cast $0 }}'), undefined);
  assert.equal(inTemplate('{{ (cast, $0) }}'), undefined);
  assert.equal(inTemplate('{{ nobody($0) }}'), undefined);
  assert.equal(inTemplate('{{ cast | upper($0) }}'), undefined);
  assert.equal(inTemplate('Prose (with $0 parentheses).'), undefined);
  assert.equal(inTemplate('{% macro line(who, $0) %}{% endmacro %}'), undefined);
});

test('returns string labels to an old client, and an index outside the list if no parameter is active', () => {
  const { file, offset } = at('---\nname: test\n---\n\n## PromptTemplate: main\n\n{{ "a" | replace("a", "b", $0) }}\n');
  const help = signatureHelp(file, offset, { offsets: false, noneActive: false });
  assert.deepEqual(help?.signatures[0]?.parameters, [{ label: 'from' }, { label: 'to' }]);
  assert.equal(help?.activeParameter, 2);
});
