/** How descriptions are judged, in the languages whose forms are known and in others (docs/rules/unclear-description.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../server/src/finding.ts';
import { withOrigin } from '../../../server/src/skill/origin.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';
import { crlf, findingsOf } from './findings.ts';

const PATH = 'notes/SKILL.md';
const skill = (description: string, body = 'Do it.', ...keys: string[]): string =>
  ['---', 'name: notes', `description: ${description}`, ...keys, '---', '', body, ''].join('\n');

const found = (text: string): readonly Finding[] =>
  findingsOf(PATH, text).filter(({ rule }) => rule === 'unclear-description');
const messages = (text: string): string[] => found(text).map(({ message }) => message);

const NOWHERE = { start: 0, end: 0 };
const REPEATS = /^This sentence only repeats the words before it/;

const afterFix = (text: string): string => {
  const [fix] = found(text).flatMap(({ fixes }) => fixes);
  assert.ok(fix, text);
  return applyEdits(
    text,
    fix.edits.flatMap(({ edits }) => edits),
  );
};

describe('a description that does not say when to use the skill', () => {
  const WHEN: Readonly<Record<string, readonly [description: string, example: string]>> = {
    English: ['Merges two PDF forms.', 'Use when the user wants to merge two PDF forms'],
    'English, a noun': ['PDF forms and tables', 'Use when the user asks about PDF forms and tables'],
    'English, after a colon': ['Gmail: Forward a letter.', 'Use when the user wants to forward a letter'],
    German: ['Erstellt die Rechnung für den Kunden.', 'Zu verwenden für: Erstellt die Rechnung für den Kunden'],
    French: ['Rédige le compte rendu de la réunion.', 'À utiliser pour : Rédige le compte rendu de la réunion'],
    Spanish: ['Redacta las actas de los consejos.', 'Úsalo para: Redacta las actas de los consejos'],
    Portuguese: ['Escreve as atas dos conselhos.', 'Use para: Escreve as atas dos conselhos'],
    Italian: ['Scrive gli atti della riunione.', 'Da usare per: Scrive gli atti della riunione'],
    Chinese: ['整理会议的记录。', '当用户需要整理会议的记录时使用'],
    Japanese: ['議事録を作成します。', '議事録を作成するときに使う'],
    Korean: ['회의 기록을 정리한다.', '다음 요청이 있을 때 사용: 회의 기록을 정리한다'],
  };
  for (const [language, [description, example]] of Object.entries(WHEN))
    it(`has an example in its language: ${language}`, () => {
      assert.deepEqual(messages(skill(JSON.stringify(description))), [
        `This description does not say when to use the skill. Add it, for example \`${example}\`.`,
      ]);
    });

  for (const [language, [description, example]] of Object.entries(WHEN))
    it(`is completed by a fix, whose words the editor selects, and which keep a finding: ${language}`, () => {
      const text = skill(JSON.stringify(description));
      const [fix] = found(text).flatMap(({ fixes }) => fixes);
      assert.equal(fix?.placeholder, example.replace('…', ''));
      const after = afterFix(text);
      const [repeated] = found(after);
      assert.match(repeated?.message ?? '', REPEATS, after);
      assert.equal(sliceOf(after, repeated?.span ?? NOWHERE).replace(/[.。]$/u, ''), example);
      const joint = /[\u3040-\u9fff]/.test(description) ? '。' : '. ';
      assert.ok(after.includes(`"${description.replace(/[.。]$/u, '')}${joint}${example}`), after);
      assert.equal(afterFix(crlf(text)), crlf(after));
    });
});

describe('a fix', () => {
  const BODY = '# Notes\n\nCollect the merged pull requests.\n';
  const titles = (text: string) => found(text).flatMap(({ fixes }) => fixes.map(({ title }) => title));

  it('adds a whole sentence where the message shows its start', () => {
    const text = skill('Merges internationalization parameterization forms.');
    assert.match(messages(text)[0] ?? '', /…`\.$/);
    assert.match(
      afterFix(text),
      /forms\. Use when the user wants to merge internationalization parameterization forms\.$/m,
    );
  });

  it('begins with an instruction of the body if the description does not say what the skill does', () => {
    assert.deepEqual(titles(skill('Use it for releases.', BODY)), ['Begin with ‘Collect the merged pull requests’']);
    assert.match(
      afterFix(skill('Use it for releases.', BODY)),
      /^description: Collect the merged pull requests\. Use it for releases\.$/m,
    );
    assert.deepEqual(titles(skill('Use it for releases.', '`run` it')), []);
  });

  it('writes the description of a new skill with an instruction of the body', () => {
    const text = skill('\'Handles requests such as "Notes". Use this skill for every such request.\'', BODY);
    const after = afterFix(text);
    assert.match(
      after,
      /'Collect the merged pull requests\. Use when the user wants to collect the merged pull requests\.'/,
    );
    assert.match(messages(after)[0] ?? '', REPEATS);
  });

  it('replaces a vague description with what the body does and when to use it', () => {
    const after = afterFix(skill('Helps with changelogs.', BODY));
    assert.match(after, /: Collect the merged pull requests\. Use when the user asks about changelogs\.$/m);
    assert.deepEqual(messages(after), []);
  });

  it('keeps a finding where the description still does not say what the skill does', () => {
    const after = afterFix(skill('Helps with changelogs.', '`git log`'));
    assert.match(after, /changelogs\. Use when the user asks about changelogs\.$/m);
    assert.match(messages(after)[0] ?? '', REPEATS);
  });
});

describe('a sentence that says when to use the skill in the words before it', () => {
  for (const [description, sentence] of [
    ['Merges PDF forms. Use when you need to merge PDF forms.', 'Use when you need to merge PDF forms.'],
    ['Merges PDF forms.  Use this skill for merging PDF forms', 'Use this skill for merging PDF forms'],
    ['Die Rechnung für den Kunden. Verwenden für die Rechnung den Kunden.', 'Verwenden für die Rechnung den Kunden.'],
    ['Helps with PDF forms. Use for PDF forms.', 'Use for PDF forms.'],
  ] as const)
    it(`is reported: ${description}`, () => {
      const text = skill(JSON.stringify(description));
      const [finding, ...more] = found(text);
      assert.match(finding?.message ?? '', REPEATS);
      assert.equal(sliceOf(text, finding?.span ?? NOWHERE), sentence);
      assert.deepEqual([...more, ...(finding?.fixes ?? [])], []);
    });

  it('is not reported after a longer text, with a word of its own, or after another sentence that says when', () => {
    for (const description of [
      'Merges PDF forms of several people into one file and signs it. Use when the user merges PDF forms.',
      'Merges PDF forms. Use when the user has several forms to sign.',
      'Merges PDF forms before a release. Use when the user merges PDF forms.',
      'Explains plots in a chart. Use it when the user asks for a chart.',
      'PDFフォームを結合します。複数のフォームがあるときに使う',
    ])
      assert.deepEqual(messages(skill(JSON.stringify(description), '## When to use\n\n- Forms')), [], description);
  });
});

describe('two words that could be of any language', () => {
  const ENGLISH = 'Collect the merged pull requests, and write a list of them for the team.';
  const SWEDISH = 'Hämta alla fakturor och skriv en lista. Kör `if (the) { and }` för varje kund.';

  it('are vague only if the body is English', () => {
    for (const description of ['Faktura mall', 'Changelog generator', 'Notulen'])
      for (const [body, count] of [
        [ENGLISH, 1],
        [SWEDISH, 0],
        ['fakturor', 0],
        ['```\nfor the and of\n```\n\n<!-- the and of with -->', 0],
      ] as const)
        assert.equal(messages(skill(description, body)).length, count, `${description}: ${body}`);
  });

  it('are vague if one of them fits every skill', () => {
    assert.equal(messages(skill('Changelog tool', 'fakturor')).length, 1);
  });
});

it('has an example made of the name if the description has only generic words', () => {
  for (const description of ['Helps.', 'Does stuff', 'My skill'])
    assert.match(messages(skill(description))[0] ?? '', /`Use when the user asks about notes`/, description);
});

it('has no example of another language than the description', () => {
  for (const description of ['Convierte recetas a medidas de cocina.', 'Converte ricette a misure di cucina.'])
    assert.doesNotMatch(messages(skill(description))[0] ?? '', /Use (?:when|para)/, description);
});

it('has an example without words that fit every skill', () => {
  const [message = ''] = messages(skill('A skill to do translation stuff.'));
  assert.match(message, /for example `Use when the user asks about translation`\.$/);
});

describe('no finding is reported for', () => {
  const CLEAR = [
    'Merges PDF forms. Use when the user asks for one file.',
    'Merges PDF forms before a release.',
    'Erstellt Rechnungen, sobald ein Auftrag fertig ist.',
    'Nutze diesen Skill, wenn Rechnungen fehlen.',
    'Rédige un compte rendu après la réunion.',
    'Redacta actas cuando termina la reunión.',
    'Escreve atas quando termina a reunião.',
    'Scrive verbali quando finisce la riunione.',
    '当会议结束时整理记录。',
    '会議が終わったとき、議事録を作成する。',
    '회의가 끝날 때 기록을 정리한다.',
    // The purpose of the skill
    'For writing release notes.',
    'Dient zum Schreiben von Absagen.',
    'Pour rédiger des lettres de motivation',
    'Para escribir cartas de presentación',
    'Sirve para convertir recetas a medidas métricas.',
    'Serve para converter receitas em medidas métricas.',
    'Serve a convertire ricette in misure metriche.',
    // Languages whose forms are not known
    'Составляет протокол встречи.',
    'Skriver protokoll från mötet.',
    'Schrijft het verslag van een vergadering.',
    'Tworzy notatki ze spotkania.',
    'Membuat catatan rapat untuk tim.',
    'Toplantı notlarını yazar.',
    'Skriver referat for byens beboere.',
    'Skriver protokoll för möten i staden.',
    'Zet tekst om in tabellen.',
    'Die verslag van die raad',
    'Tworzy faktury i raporty.',
    'Membuat laporan di kantor.',
    'Scrie note de sedinta.',
    'Escriu cartes a clients.',
    'Leveleket ir a vevoknek.',
    'Tao bao cao do an.',
    'สรุปการประชุม',
    'يكتب محضر الاجتماع',
    // The first person of the user, or no person
    'Use when I want to write a letter to my friends.',
    'I/O helpers that read and write files if a disk is slow.',
    'ICH Q9 risk review for drugs, used before a release.',
    'We want to compare prices of shops: use before shopping.',
  ];
  for (const description of CLEAR)
    it(description, () => assert.deepEqual(messages(skill(JSON.stringify(description))), []));

  it('a skill that only people call, a copy, and keys that say when', () => {
    for (const key of ['disable-model-invocation: true', 'when_to_use: The user asks.', 'triggers: [merge forms]'])
      assert.deepEqual(messages(skill('Merges PDF forms.', 'Do it.', key)), [], key);
    const origin = { source: '../a.skill.md', sources: '0123456789ab' };
    assert.deepEqual(messages(withOrigin(skill('Merges PDF forms.'), origin, new Map())), []);
    assert.equal(messages(skill('Merges PDF forms.', 'Do it.', 'triggers: []')).length, 1);
  });

  it('a description that another rule reports', () => {
    for (const text of [
      skill('What this skill does, and when to use it.'),
      skill('Merges #1 forms'),
      skill(`Merges ${'forms '.repeat(300)}`),
      skill('Merges PDF forms.\ndescription: Merges PDF forms.'),
    ])
      assert.deepEqual(messages(text), [], text.slice(0, 80));
  });
});

describe('the first person', () => {
  const STARTS: readonly (readonly [description: string, words: string])[] = [
    ['I can help you draft letters before a trip.', 'I can help you'],
    ["I'll draft letters before a trip.", "I'll"],
    ['Let me help you draft letters before a trip.', 'Let me help you'],
    ['Ich helfe dir bei Briefen, wenn du reist.', 'Ich'],
    ['Je peux vous aider quand vous voyagez.', 'Je'],
    ['Te ayudo a escribir cartas cuando viajas.', 'Te ayud'],
    ['Posso ajudar quando for viajar.', 'Posso ajudar'],
    ['我可以在旅行时帮你写信。', '我'],
    ['私は旅行のときに手紙を書きます。', '私'],
  ];
  for (const [description, words] of STARTS)
    it(`is reported at its words: ${description}`, () => {
      const text = skill(JSON.stringify(description));
      const [finding] = found(text);
      assert.equal(finding && sliceOf(text, finding.span), words);
      assert.match(finding?.message ?? '', /^This description is in the first person/);
    });

  it('is removed by a fix in each style of YAML, which keeps the line breaks', () => {
    const styles = [
      'I can help you draft letters before a trip.',
      "'I can help you draft letters before a trip.'",
      '"I can help you draft letters before a trip."',
      '>-\n  I can help you\n  draft letters before a trip.',
      '|\n  I can help you draft letters before a trip.',
    ];
    for (const style of styles)
      for (const text of [skill(style), crlf(skill(style))]) {
        const fixed = afterFix(text);
        assert.match(fixed, /description:[^\n]*(?:\r?\n)?[^\n]*Draft letters before a trip\./, text);
        assert.deepEqual(messages(fixed), [], text);
      }
  });

  it('has no fix if the rest is not a sentence without it', () => {
    for (const description of [
      'I can help you with letters before a trip.',
      'I can help you draft my letters before a trip.',
    ])
      assert.deepEqual(
        found(skill(description)).map(({ fixes }) => fixes),
        [[]],
        description,
      );
  });
});

describe('a body that says when to use the skill', () => {
  const body = (...lines: string[]): string =>
    ['## When to use', '', ...lines, '', '## Steps', '', 'Do it.'].join('\n');
  const DESCRIPTION = 'Merges the tables of several PDF forms into one sheet';
  const EXAMPLE = 'Use when the user wants to merge the tables of several PDF …';

  it('gives a sentence or up to three items of a list, which a fix adds in each style of YAML', () => {
    const sentences = [
      [body('Use this skill when the user sends\nforms. It is fast.'), 'Use this skill when the user sends forms.'],
      [body('- Comparing forms', '- Merging **many** forms'), 'Use when comparing forms.'],
      [
        body('- When sending forms', '- Merging forms', '- Reading forms', '- Any'),
        'Use when sending forms, merging forms, or reading forms.',
      ],
    ] as const;
    for (const [text, sentence] of sentences)
      for (const style of [DESCRIPTION, `"${DESCRIPTION}."`, `'${DESCRIPTION}.'`, `>-\n  ${DESCRIPTION}`]) {
        const fixed = afterFix(skill(style, text));
        assert.ok(fixed.replace(/\s+/g, ' ').includes(`${DESCRIPTION}. ${sentence}`), fixed);
        assert.deepEqual(messages(fixed), []);
      }
  });

  it('gives no hidden sentence, and no sentence that says when not to use the skill', () => {
    const sentences = [
      [body('<!--', 'Use when x is old.', '-->', '- Merging forms'), ['Use when merging forms.']],
      [body('```', 'Use when x is y.', '```'), []],
      [body('**Do not** Use when merging forms.'), []],
      [body('- Editing package.json files', '- The user says: hello'), ['Use when editing package.json files.']],
      ['## When to use, and when not\n\nUse it when merging forms.\n', []],
    ] as const;
    for (const [text, added] of sentences)
      assert.deepEqual(
        found(skill(DESCRIPTION, text)).flatMap(({ fixes }) => fixes.map(({ title }) => title)),
        (added.length > 0 ? added : [EXAMPLE]).map((sentence) => `Add ‘${sentence}’`),
        text,
      );
    assert.match(afterFix(skill(`${DESCRIPTION},`, body('- Merging forms'))), /one sheet\. Use when merging forms\./);
  });

  it('is only named if its words do not fit into a sentence', () => {
    for (const text of [body('Any form.'), '## 使用场景\n\n- 表格\n', '## Wann dieser Skill greift\n\nBei Formularen.'])
      assert.deepEqual(
        found(skill(DESCRIPTION, text)).map(({ message, fixes, related }) => [message, fixes.length, related.length]),
        [['Agents choose a skill by its description, but only the body says when to use it. Say it here.', 1, 1]],
      );
  });

  it('has another heading', () => {
    for (const heading of [
      'When to stop',
      'When should this not be used?',
      'When should I be careful?',
      'Wann Berufung möglich ist',
      '何时注释',
    ])
      assert.deepEqual(messages(skill(DESCRIPTION, `## ${heading}\n\n- Merging forms\n`)), []);
  });
});

it('proposes no instruction that needs the text around it', () => {
  for (const body of ['Write it.', 'Sort these by date.'])
    assert.deepEqual(
      found(skill('Helps with changelogs.', body)).flatMap(({ fixes }) => fixes.map(({ title }) => title)),
      ['Add ‘Use when the user asks about changelogs’'],
    );
});

it('reads hostile descriptions and bodies in linear time', () => {
  const start = performance.now();
  for (const part of ['I ', '- Merging ', 'Use when ', 'a\n', ' ', '我', '"', 'Use it when x\n  ']) {
    const long = part.repeat(20_000);
    found(skill(JSON.stringify(long.slice(0, 1_000)), `## When to use\n\n${long}`));
    found(skill(JSON.stringify(long)));
  }
  assert.ok(performance.now() - start < 10_000);
});
