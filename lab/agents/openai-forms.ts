/** Files `agents/openai.yaml` that ask one question each: does Codex hide the skill from its model? */

/** The texts by the name of the skill. Null for a skill without the file. */
const TEXTS: Readonly<Record<string, string | null>> = {
  'o01-hidden': 'policy:\n  allow_implicit_invocation: false\n',
  'o02-absent': null,
  'o03-empty': '',
  'o04-true': 'policy:\n  allow_implicit_invocation: true\n',
  'o05-quoted': 'policy:\n  allow_implicit_invocation: "false"\n',
  'o06-no': 'policy:\n  allow_implicit_invocation: no\n',
  'o07-zero': 'policy:\n  allow_implicit_invocation: 0\n',
  'o08-nul': 'policy:\n  allow_implicit_invocation:\n',
  'o09-policynull': 'policy:\n',
  'o10-policylist': 'policy: []\n',
  'o11-policytext': 'policy: x\n',
  'o12-toplist': '- policy\n',
  'o13-toptext': 'hello\n',
  'o14-topkey': 'allow_implicit_invocation: false\n',
  'o15-flow': '{policy: {allow_implicit_invocation: false}}\n',
  'o16-capital': 'policy:\n  allow_implicit_invocation: False\n',
  'o17-upper': 'policy:\n  allow_implicit_invocation: FALSE\n',
  'o18-dots': 'policy:\n  allow_implicit_invocation: false\n...\n',
  'o19-docs': '---\npolicy:\n  allow_implicit_invocation: false\n',
  'o20-twodocs': 'policy:\n  allow_implicit_invocation: false\n---\npolicy:\n  allow_implicit_invocation: false\n',
  'o21-tag': 'policy:\n  allow_implicit_invocation: !!bool false\n',
  'o22-anchor': 'policy: &p\n  allow_implicit_invocation: false\nx: *p\n',
  'o23-merge': 'base: &b {allow_implicit_invocation: false}\npolicy:\n  <<: *b\n',
  'o24-duppolicy': 'policy:\n  allow_implicit_invocation: false\npolicy:\n  allow_implicit_invocation: false\n',
  'o25-dupkey': 'policy:\n  allow_implicit_invocation: false\n  allow_implicit_invocation: false\n',
  'o26-dupother': 'policy:\n  allow_implicit_invocation: false\nx: 1\nx: 2\n',
  'o27-unclosed': 'policy:\n  allow_implicit_invocation: false\ninterface: "x\n',
  'o28-tab': 'policy:\n  allow_implicit_invocation: false\ninterface:\n\tdisplay_name: x\n',
  'o29-tabafter': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name:\tx\n',
  'o30-bom': '\uFEFFpolicy:\n  allow_implicit_invocation: false\n',
  'o31-crlf': 'policy:\r\n  allow_implicit_invocation: false\r\n',
  'o32-colon': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: a: b\n',
  'o33-unknown': 'policy:\n  allow_implicit_invocation: false\nfoo: [bar]\n',
  'o34-unknownpolicy': 'policy:\n  allow_implicit_invocation: false\n  foo: [x]\n',
  'o35-ifacelist': 'policy:\n  allow_implicit_invocation: false\ninterface: []\n',
  'o36-ifacetext': 'policy:\n  allow_implicit_invocation: false\ninterface: x\n',
  'o37-ifacenull': 'policy:\n  allow_implicit_invocation: false\ninterface:\n',
  'o38-shortlist': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  short_description: [x]\n',
  'o39-shortnum': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  short_description: 7\n',
  'o40-displaynum': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: 7\n',
  'o41-displaylist': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: [a]\n',
  'o42-displaylong':
    'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n',
  'o43-iconnum': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  icon_small: 7\n',
  'o44-iconlist': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  icon_large: [x]\n',
  'o45-icongone': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  icon_small: ./assets/gone.png\n',
  'o46-color': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  brand_color: red\n',
  'o47-colornum': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  brand_color: 112233\n',
  'o48-prompt7': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  default_prompt: 7\n',
  'o49-promptlist': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  default_prompt: [a]\n',
  'o50-depstext': 'policy:\n  allow_implicit_invocation: false\ndependencies: x\n',
  'o51-depslist': 'policy:\n  allow_implicit_invocation: false\ndependencies: []\n',
  'o52-depsnull': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n',
  'o53-toolstext': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools: x\n',
  'o54-toolsmap': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools: {}\n',
  'o55-toolnovalue': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - type: mcp\n',
  'o56-toolnotype': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - value: x\n',
  'o57-tooltext': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools: [x]\n',
  'o58-toolnum': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - {type: 7, value: x}\n',
  'o59-toolok':
    'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - {type: mcp, value: github}\n',
  'o60-prodother': 'policy:\n  products: [CHATGPT]\n',
  'o61-prodcodex': 'policy:\n  products: [codex]\n',
  'o62-produpper': 'policy:\n  products: [CODEX]\n',
  'o63-prodboth': 'policy:\n  products: [CHATGPT, codex]\n',
  'o64-prodempty': 'policy:\n  products: []\n',
  'o65-prodtext': 'policy:\n  products: codex\n',
  'o66-prodnum': 'policy:\n  products: [7]\n',
  'o67-prodbad': 'policy:\n  products: [foo]\n',
  'o68-prodnull': 'policy:\n  products:\n',
  'o69-prodatlas': 'policy:\n  allow_implicit_invocation: false\n  products: [atlas]\n',
  'o70-prodcase': 'policy:\n  allow_implicit_invocation: false\n  products: [Codex]\n',
  'o71-boolname': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: true\n',
  'o72-datename': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: 2026-01-01\n',
  'o73-toolvaluelist':
    'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - {type: mcp, value: [x]}\n',
  'o74-tooldesc':
    'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - {type: mcp, value: x, description: [x]}\n',
  'o75-tooltransport':
    'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - {type: mcp, value: x, transport: [x]}\n',
  'o76-toolsnull': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n',
  'o77-toolnull': 'policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    -\n',
  'o78-shortnull': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  short_description:\n',
  'o79-dupunknown': 'policy:\n  allow_implicit_invocation: false\nx:\n  a: 1\n  a: 2\n',
  'o80-screens': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  screenshots: x\n',
  'o81-ifacedup': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: a\n  display_name: b\n',
};

export interface OpenAiForm {
  /** The name of the skill. */
  readonly id: string;
  /** The text of `agents/openai.yaml`; undefined without the file. */
  readonly text: string | undefined;
}

export const OPENAI_FORMS: readonly OpenAiForm[] = Object.entries(TEXTS).map(([id, text]) => ({
  id,
  text: text ?? undefined,
}));
