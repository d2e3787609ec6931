/**
 * Agent files that ask one question each: is the agent loaded? The ID of a file is in its name or its description. The names
 * of the files are those of the questions, except for the questions about a missing name.
 */

/** The texts between the fences, by question. `ID` stands for the ID of the file. */
const KEYS: Readonly<Record<string, string>> = {
  'a01-plain': 'name: ID\ndescription: Agent ID.',
  'a02-no-description': 'name: ID',
  'a03-boolean-description': 'name: ID\ndescription: true',
  'a04-number-description': 'name: ID\ndescription: 12',
  'a05-list-description': 'name: ID\ndescription: [sorts, stamps]',
  'a06-map-description': 'name: ID\ndescription: {sorts: stamps}',
  'a07-null-description': 'name: ID\ndescription: null',
  'a08-spaces-description': 'name: ID\ndescription: "  "',
  'a09-date-description': 'name: ID\ndescription: 2026-01-02',
  'a10-block-description': 'name: ID\ndescription: |\n  Agent ID.\n  Sorts stamps.',
  'a11-empty-description': 'name: ID\ndescription: ""',
  'a12-misspelt-description': 'name: ID\ndescripton: Agent ID.',
  'a13-no-name': 'description: Agent ID.',
  'a14-boolean-name': 'name: true\ndescription: Agent ID.',
  'a15-null-name': 'name: null\ndescription: Agent ID.',
  'a16-spaces-name': 'name: "  "\ndescription: Agent ID.',
  'a17-list-name': 'name: [x]\ndescription: Agent ID.',
  'a18-colon-name': 'name: "one:two"\ndescription: Agent ID.',
  'a19-slash-name': 'name: one/two\ndescription: Agent ID.',
  'a20-words-name': 'name: The stamp sorter\ndescription: Agent ID.',
  'a21-date-name': 'name: 2026-01-02\ndescription: Agent ID.',
  'a22-number-name': 'name: 24\ndescription: Agent ID.',
  'a23-empty-name': 'name: ""\ndescription: Agent ID.',
  'a39-tab': 'name: ID\ndescription:\tAgent ID.',
  'a40-tab-indent': 'name: ID\ndescription: Agent ID.\nx:\n\ty: 1',
  'a41-colon': 'name: ID\ndescription: Agent ID: sorts stamps.',
  'a42-colon-in-tools': 'name: ID\ndescription: Agent ID.\ntools: Bash(git: log), Read',
  'a43-unclosed-quote': 'name: ID\ndescription: "Agent ID.',
  'a44-unclosed-list': 'name: ID\ndescription: Agent ID.\ntools: [Read, Grep',
  'a45-at-sign': 'name: ID\ndescription: @Agent ID.',
  'a46-star': 'name: ID\ndescription: Agent ID.\ntools: *',
  'a47-key-twice': 'name: ID\ndescription: First.\ndescription: Agent ID.',
  'a48-anchor': 'name: ID\ndescription: &text Agent ID.\nx: *text',
  'a49-tag': 'name: ID\ndescription: !!str Agent ID.',
  'a50-hooks-list': 'name: ID\ndescription: Agent ID.\nhooks: []',
  'a51-hooks-text': 'name: ID\ndescription: Agent ID.\nhooks: run',
  'a52-hooks-empty-map': 'name: ID\ndescription: Agent ID.\nhooks: {}',
  'a53-hooks-null': 'name: ID\ndescription: Agent ID.\nhooks:',
  'a54-mcp-servers-text': 'name: ID\ndescription: Agent ID.\nmcpServers: x',
  'a55-mcp-servers-of-copilot-text': 'name: ID\ndescription: Agent ID.\nmcp-servers: x',
  'a56-mcp-servers-of-copilot-map': 'name: ID\ndescription: Agent ID.\nmcp-servers: {}',
  'a57-model-list': 'name: ID\ndescription: Agent ID.\nmodel: [opus]',
  'a58-model-text': 'name: ID\ndescription: Agent ID.\nmodel: sonet',
  'a59-model-number': 'name: ID\ndescription: Agent ID.\nmodel: 4',
  'a60-tools-text': 'name: ID\ndescription: Agent ID.\ntools: Read, Grep',
  'a61-tools-list': 'name: ID\ndescription: Agent ID.\ntools: [Read, Grep]',
  'a62-tools-map-of-booleans': 'name: ID\ndescription: Agent ID.\ntools: {read: true}',
  'a63-tools-map-of-texts': 'name: ID\ndescription: Agent ID.\ntools: {read: "yes"}',
  'a64-tools-number': 'name: ID\ndescription: Agent ID.\ntools: 7',
  'a65-tools-list-of-numbers': 'name: ID\ndescription: Agent ID.\ntools: [7]',
  'a66-tools-null': 'name: ID\ndescription: Agent ID.\ntools:',
  'a67-tools-empty-text': 'name: ID\ndescription: Agent ID.\ntools: ""',
  'a68-tools-boolean': 'name: ID\ndescription: Agent ID.\ntools: true',
  'a69-tools-empty-list': 'name: ID\ndescription: Agent ID.\ntools: []',
  'a70-disallowed-tools-number': 'name: ID\ndescription: Agent ID.\ndisallowedTools: 7',
  'a71-skills-text': 'name: ID\ndescription: Agent ID.\nskills: one',
  'a72-skills-list': 'name: ID\ndescription: Agent ID.\nskills: [one]',
  'a73-skills-number': 'name: ID\ndescription: Agent ID.\nskills: 7',
  'a74-skills-map': 'name: ID\ndescription: Agent ID.\nskills: {one: two}',
  'a75-skills-list-of-maps': 'name: ID\ndescription: Agent ID.\nskills: [one: two]',
  'a76-skills-null': 'name: ID\ndescription: Agent ID.\nskills:',
  'a77-wrong-settings':
    'name: ID\ndescription: Agent ID.\nmaxTurns: many\npermissionMode: "yes"\nisolation: box\nmemory: all\neffort: huge\nbackground: perhaps',
  'a78-color-word': 'name: ID\ndescription: Agent ID.\ncolor: mauve',
  'a79-color-of-opencode': 'name: ID\ndescription: Agent ID.\ncolor: primary',
  'a80-color-hex': 'name: ID\ndescription: Agent ID.\ncolor: "#12aB34"',
  'a81-color-short-hex': 'name: ID\ndescription: Agent ID.\ncolor: "#ff0"',
  'a82-mode-other': 'name: ID\ndescription: Agent ID.\nmode: sub',
  'a83-mode': 'name: ID\ndescription: Agent ID.\nmode: subagent',
  'a84-temperature-text': 'name: ID\ndescription: Agent ID.\ntemperature: hot',
  'a85-temperature': 'name: ID\ndescription: Agent ID.\ntemperature: 0.5',
  'a86-permission-word': 'name: ID\ndescription: Agent ID.\npermission: never',
  'a87-permission-map': 'name: ID\ndescription: Agent ID.\npermission: {edit: deny}',
  'a88-permission-map-of-other-words': 'name: ID\ndescription: Agent ID.\npermission: {edit: never}',
  'a89-steps-text': 'name: ID\ndescription: Agent ID.\nsteps: many',
  'a90-disable-text': 'name: ID\ndescription: Agent ID.\ndisable: "yes"',
  'a91-hidden-number': 'name: ID\ndescription: Agent ID.\nhidden: 1',
  'a92-options-text': 'name: ID\ndescription: Agent ID.\noptions: x',
  'a93-top-p-text': 'name: ID\ndescription: Agent ID.\ntop_p: x',
  'a94-variant-number': 'name: ID\ndescription: Agent ID.\nvariant: 1',
  'a95-infer-text': 'name: ID\ndescription: Agent ID.\ninfer: "no"',
  'a96-infer': 'name: ID\ndescription: Agent ID.\ninfer: false',
  'a97-hidden-from-model-text': 'name: ID\ndescription: Agent ID.\ndisable-model-invocation: "true"',
  'a98-github-text': 'name: ID\ndescription: Agent ID.\ngithub: x',
  'a99-user-invocable-number': 'name: ID\ndescription: Agent ID.\nuser-invocable: 0',
};

/** Complete files, by question. */
const FILES: Readonly<Record<string, string>> = {
  'a24-text-first': 'Text.\n---\nname: ID\ndescription: Agent ID.\n---\nBody.\n',
  'a25-empty-line-first': '\n---\nname: ID\ndescription: Agent ID.\n---\nBody.\n',
  'a26-space-after-fence': '--- \nname: ID\ndescription: Agent ID.\n---\nBody.\n',
  'a27-four-hyphens': '----\nname: ID\ndescription: Agent ID.\n----\nBody.\n',
  'a28-space-after-closing-fence': '---\nname: ID\ndescription: Agent ID.\n--- \nBody.\n',
  'a29-indented-closing-fence': '---\nname: ID\ndescription: Agent ID.\n ---\nBody.\n',
  'a30-dots': '---\nname: ID\ndescription: Agent ID.\n...\nBody.\n',
  'a31-unclosed': '---\nname: ID\ndescription: Agent ID.\nBody.\n',
  'a32-no-frontmatter': '# ID\n\nBody.\n',
  'a33-crlf': '---\r\nname: ID\r\ndescription: Agent ID.\r\n---\r\nBody.\r\n',
  'a34-cr': '---\rname: ID\rdescription: Agent ID.\r---\rBody.\r',
  'a35-bom': '\uFEFF---\nname: ID\ndescription: Agent ID.\n---\nBody.\n',
  'a36-empty-body': '---\nname: ID\ndescription: Agent ID.\n---\n',
  'a37-list': '---\n- name: ID\n- description: Agent ID.\n---\nBody.\n',
  'a38-capital-keys': '---\nName: ID\nDescription: Agent ID.\n---\nBody.\n',
};

export interface AgentForm {
  /** The ID, for example `a01`, which is also the name of the file without its suffix. */
  readonly id: string;
  readonly question: string;
  readonly text: string;
}

/** All agent files, sorted by ID. */
export const AGENT_FORMS: readonly AgentForm[] = [
  ...Object.entries(KEYS).map(([name, keys]) => [name, `---\n${keys}\n---\nBody.\n`] as const),
  ...Object.entries(FILES),
]
  .map(([name, text]) => {
    const [id = ''] = name.split('-');
    return { id, question: name.slice(id.length + 1), text: text.replaceAll('ID', id) };
  })
  .sort((a, b) => (a.id < b.id ? -1 : 1));
