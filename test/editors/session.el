;;; session.el --- What a person does in one sitting.  -*- lexical-binding: t; -*-

;; What came of each step goes to $SEEN as JSON.

(require 'json)
(require 'eglot)
(require 'flymake)

(defvar seen nil)

(defun note (key value) (push (cons key value) seen))

(defun wait (what ready)
  (with-timeout (20 (error "Waited in vain for %s" what))
    (while (not (funcall ready)) (accept-process-output nil 0.05))))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

(defun to (words)
  (goto-char (point-min))
  (search-forward words)
  (goto-char (match-beginning 0)))

;; A finding begins with its message; eglot keeps what the server said of it beside.
(defun code-of (one) (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data one)) :code))

(defun codes () (mapcar #'code-of (flymake-diagnostics)))

(defun ask (method &optional more)
  (jsonrpc-request (eglot-current-server) method (append more (eglot--TextDocumentPositionParams))))

;; Takes the choice whose title is this, as a person would from the list.
(defun choose (title)
  (advice-add 'completing-read :override
              (lambda (_prompt choices &rest _)
                (or (car (assoc title choices)) (error "No choice %s" title)))
              '((name . choose))))

(defun sit ()
  (find-file "broken.skill.md")
  (unless (eq major-mode 'skill-mode) (error "The mode is %s" major-mode))
  ;; In an Emacs with a screen it starts when the buffer is shown.
  (unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
  (wait "the server" #'eglot-current-server)
  (flymake-start)
  (wait "findings" (lambda () (accept-process-output nil 0.05) (flymake-diagnostics)))
  (note 'findings (vconcat (codes)))

  (to "reed_page")
  (choose "Replace with ‘read_page’")
  ;; As by the keyboard, not by the mouse.
  (let ((last-nonmenu-event ?\r)) (eglot-code-actions (point) (point) nil t))
  (advice-remove 'completing-read 'choose)
  (wait "the fix" (lambda () (string-match-p "\\[read_page\\]" (text))))
  (eglot--signal-textDocument/didChange)
  (wait "no finding" (lambda () (null (flymake-diagnostics))))
  (note 'fixed (text))

  (to "read_page")
  (note 'hover (plist-get (plist-get (ask :textDocument/hover) :contents) :value))
  (let ((answer (ask :textDocument/completion)))
    (note 'snippets (if (seq-find (lambda (item) (eql 2 (plist-get item :insertTextFormat)))
                                  (if (vectorp answer) answer (plist-get answer :items)))
                        t :json-false))
    (note 'completion (vconcat (mapcar (lambda (item) (plist-get item :label))
                                       (if (vectorp answer) answer (plist-get answer :items))))))
  (let ((definition (elt (ask :textDocument/definition) 0)))
    (note 'definition (file-name-nondirectory
                       (eglot--uri-to-path (or (plist-get definition :targetUri) (plist-get definition :uri))))))

  (to "slug: string")
  (eglot-rename "page")
  (wait "the rename" (lambda () (string-match-p "{{ page }}" (text))))
  (note 'renamed (text))

  (eglot-format-buffer)
  (note 'formatted (text))
  (eglot--signal-textDocument/didChange)
  (wait "no finding after formatting" (lambda () (null (flymake-diagnostics))))
  (note 'after (vconcat (codes)))
  (save-buffer)

  (find-file "other.skill.md")
  (unless (eglot-managed-p) (eglot--maybe-activate-editing-mode))
  (flymake-start)
  (wait "the missing skill" (lambda () (accept-process-output nil 0.05) (flymake-diagnostics)))
  (let ((found (seq-find (lambda (one) (equal "skill-not-found" (code-of one))) (flymake-diagnostics))))
    (note 'marked (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
  (to "gone")
  (note 'actions (vconcat (mapcar (lambda (action) (plist-get action :title)) (eglot-code-actions (point) (point)))))
  (to "part")
  ;; eglot asks before it changes a file that is not open.
  (advice-add 'y-or-n-p :override #'always)
  (eglot-rename "piece")
  (wait "the renamed skill" (lambda () (string-match-p "#skill:piece" (text))))
  (wait "the message" (lambda () (string-match-p "does not rename" (messages))))
  (note 'other (text))
  (note 'files (vconcat (directory-files "." nil "^[^.].*[^~]$")))
  (note 'messages (messages)))

(defun messages () (with-current-buffer (messages-buffer) (text)))

(condition-case problem
    (sit)
  (error (note 'problem (error-message-string problem))))
(with-temp-file (getenv "SEEN") (insert (json-encode seen)))
(kill-emacs)
;;; session.el ends here
