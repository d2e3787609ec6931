/** Slices that the engine reads in another way than Python are reported, if the value may be so short. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { templateProblems } from '../../../server/src/skill/template-types.ts';
import { textOf } from '../composer/rendering.ts';

/** Returns the messages about a template with a list of at least `least` items. */
function messagesOf(template: string, least = 0): readonly string[] {
  const schema = `{list: {type: array, min_length: ${least}, items: integer}, text: string}`;
  const text = `---\nname: t\ndescription: d\nversion: 1.0.0\ninput_schema: ${schema}\nframing: main\n---\n\n## PromptTemplate: main\n\n${template}\n`;
  const { templates } = templateProblems(new SkillFile('file:///w/skills/t.skill.md', text));
  return (templates[0]?.problems ?? []).map(({ message }) => message);
}

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** Returns the items of a slice as Python does. */
function slice(length: number, start: number | undefined, stop: number | undefined): readonly number[] {
  const at = (index: number) => (index < 0 ? Math.max(0, index + length) : index);
  return numbers(length).slice(at(start ?? 0), stop === undefined ? length : at(stop));
}

it('a slice is reported if and only if its result differs from that of Python for a list that the schema allows', () => {
  const ends = [undefined, -5, -4, -3, -2, -1, 0, 1, 2, 3];
  for (const start of ends) {
    for (const stop of ends) {
      const written = `list[${start ?? ''}:${stop ?? ''}]`;
      const wrong = numbers(8).filter((length) => {
        const result = textOf(`{{ ${written} | join(" ") }}`, { context: { list: [...numbers(length)] } });
        return result !== slice(length, start, stop).join(' ');
      });
      for (const least of [0, 2, 4, 6]) {
        const isWrong = wrong.some((length) => length >= least);
        assert.equal(messagesOf(`{{ ${written} }}`, least).length, isWrong ? 1 : 0, `${written} from ${least}`);
      }
    }
  }
});

it('a slice of a string or an iterator may be an iterator', () => {
  assert.match(messagesOf('{{ (text if list else text | split(","))[:2] }}')[0] ?? '', /iterator/);
  assert.deepEqual(messagesOf('{{ (text if list else list)[:2] }}'), []);
});

describe('a slice is not reported', () => {
  it('where a condition excludes short lists, as its fix does', () => {
    const [message = ''] = messagesOf('{{ list[-3:] }}');
    const [, advice = ''] = /Write `(.*)`\./.exec(message) ?? [];
    assert.equal(advice, '(list[-3:] if list | length > 3 else list)');
    for (const length of [0, 1, 2, 3, 4]) {
      const context = { list: [...numbers(length)] };
      assert.equal(textOf(`{{ ${advice} | join(" ") }}`, { context }), slice(length, -3, undefined).join(' '));
    }
    for (const template of [
      `{{ ${advice} }}`,
      '{% if list | length >= 3 %}{{ list[-3:] }}{% endif %}',
      '{% if 2 < list | length %}{{ list[-3:] }}{% endif %}',
      '{% if list | length < 3 %}{% else %}{{ list[:-3] }}{% endif %}',
      '{% set n = list | length %}{% if n > 2 %}{{ list[-3:] }}{% endif %}',
    ]) {
      assert.deepEqual(messagesOf(template), [], template);
    }
    assert.equal(messagesOf('{% if list | length > 1 %}{{ list[-3:] }}{% endif %}').length, 1);
    assert.equal(messagesOf('{% set n = text | length %}{% if n > 2 %}{{ list[-3:] }}{% endif %}').length, 1);
    const changed = '{% set n = list | length %}{% set list = list[:1] %}{% if n > 2 %}{{ list[-3:] }}{% endif %}';
    assert.equal(messagesOf(changed).length, 1);
  });

  it('with a negative step, if the value has items', () => {
    assert.match(
      messagesOf('{{ text[::-1] }}')[0] ?? '',
      /crashes MiniJinja 2\.11 if `text` is empty\. Write `\| reverse`\./,
    );
    assert.equal(messagesOf('{{ (text | upper)[4::-2] }}').length, 1);
    for (const template of ['{% if text %}{{ text[::-1] }}{% endif %}', '{{ "abc"[::-1] }}', '{{ text | reverse }}']) {
      assert.deepEqual(messagesOf(template), [], template);
    }
    assert.deepEqual(messagesOf('{{ list[::-1] }}', 1), []);
  });
});
