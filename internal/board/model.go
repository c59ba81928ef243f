package board

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/view"
	"git-ralph/internal/watch"
)

// A reader reads what is shown: a *viewio.Worktree.
type reader interface {
	Read(context.Context) (*view.Data, error)
	ReadAt(ctx context.Context, rev string, h *fold.History) (*view.Data, error)
	WithRuns(context.Context, *view.Data) (*view.Data, error)
	WithHistory(context.Context, *view.Data) (*view.Data, error)
	WithLanded(context.Context, *view.Data) (*view.Data, error)
	AddReceipts(context.Context, *view.Task) error
	HasUncommitted(context.Context) (bool, error)
}

// A runner runs command lines: an *inprocess.Runner.
type runner interface {
	Run(context.Context, inprocess.Line) inprocess.Outcome
}

// A model is all that the board shows, and where the user is in it. Update changes it; nothing else does.
type model struct {
	ctx     context.Context
	read    reader
	run     runner
	changes <-chan watch.Change           // of what is shown
	edit    func(words []string) *editing // runs a command on the terminal, in the place of the board

	width, height int
	method        ansi.Method       // how the terminal measures text
	ascii         *strings.Replacer // of signs; nil where the terminal shows them
	colours       palette
	light, few    bool // the terminal's background; it has 16 colours
	keys          map[string]*binding
	mouseOff      bool

	data     *view.Data // of the worktree, as it was read last
	present  view.Board // the cards of it
	loading  bool       // it is being read
	stale    bool       // and has changed since
	unread   error      // why the plan could not be read the last time
	cards    view.Board // of what is shown: of the worktree, or of the past
	board    view.Board // those that the filter matches
	filter   string     // "" for all
	matching string     // the filter that is being applied
	past     past

	column  int
	left    int      // the first column on the screen
	cursors []cursor // by column
	focus   pane
	wide    bool // all about one task, and no columns
	alone   bool // the columns, and nothing about a task
	task    taskPane
	links   linksPane

	over    overlay  // what is in front of the board; nil: nothing
	note    note     // on the last line
	busy    string   // what is being done, "" for nothing
	actions int      // that were started
	queue   []action // what is to be done after it

	added   string // the record to select as soon as it is on the board; "" for none
	clicked click
	bug     *bug // that ends the board; nil: none
}

// A pane is what the keys that move go to.
type pane int

const (
	columnsPane pane = iota
	taskPaneFocus
	linksPaneFocus
)

// A cursor is where the user is in a column: the card that is selected, and the first that is on the screen.
type cursor struct{ at, top int }

// A note is a message about what was done last.
type note struct {
	text string
	bad  bool
}

func newModel(ctx context.Context, read reader, run runner, data *view.Data) *model {
	m := &model{
		ctx: ctx, read: read, run: run, width: 80, height: 24, method: ansi.WcWidth, colours: darkPalette(),
		data: data, cursors: make([]cursor, len(view.Columns())),
	}
	m.keys = keysOf(bindings())
	m.clicked = click{-1, -1}
	m.present = data.Board()
	m.cards = m.present
	m.place(m.present)
	return m
}

// firstFrame is how long the first frame has the processor to itself.
const firstFrame = 25 * time.Millisecond

// A paintedMsg says that the first frame is on the screen.
type paintedMsg struct{}

// Init has all read that the first frame does without, after it. The plan is read again, since nobody has watched it until now.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, caught(m.await), tea.Tick(firstFrame, func(time.Time) tea.Msg { return paintedMsg{} }))
}

// Update changes the model by a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return m, caught(m.update(msg)) }

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case *bug:
		m.bug = msg
		return tea.Quit
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.keepVisible()
	case tea.BackgroundColorMsg:
		m.light = !msg.IsDark()
		m.setColours()
	case tea.ColorProfileMsg:
		m.few = msg.Profile == colorprofile.ANSI
		m.setColours()
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && !msg.Value.IsNotRecognized() && !msg.Value.IsPermanentlyReset() {
			m.method = ansi.GraphemeWidth // as the renderer does
		}
	case tea.KeyPressMsg:
		return m.pressed(msg)
	case tea.PasteMsg:
		if m.over != nil {
			return m.over.paste(m, msg.Content)
		}
	case tea.MouseMsg:
		return m.moused(msg)
	case tea.ResumeMsg, paintedMsg:
		return tea.Batch(m.reload(), m.readTask())
	case changedMsg:
		return m.changed(msg)
	case readMsg:
		return m.wasRead(msg)
	case taskMsg:
		return m.taskWasRead(msg)
	case pastMsg:
		return m.pastWasRead(msg)
	case matchedMsg:
		return m.matched(msg)
	case doneMsg:
		return m.wasDone(msg)
	}
	return nil
}

// pressed does what a key says.
func (m *model) pressed(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "ctrl+z" {
		return m.suspend()
	}
	m.note, m.added = note{}, ""
	if m.over != nil {
		return m.over.pressed(m, k)
	}
	b := m.keys[k.String()]
	if b == nil {
		return nil
	}
	return b.do(m)
}

// shown returns what the columns are made of.
func (m *model) shown() *view.Data {
	if m.past.data != nil {
		return m.past.data
	}
	return m.data
}

// show shows cards that were read: all of them at once, those that match the filter as soon as they are known.
func (m *model) show(cards view.Board) tea.Cmd {
	m.cards = cards
	if m.filter != "" {
		return m.match()
	}
	m.place(cards)
	return m.readTask()
}

// place takes a board. In each column the same card is selected as before, or the one that has its place now.
func (m *model) place(board view.Board) {
	var selected []string
	for i := range m.cursors {
		selected = append(selected, idOf(m.cardIn(i)))
	}
	m.board = board
	for i, c := range board.Columns {
		at := -1
		if selected[i] != "" {
			at = slices.IndexFunc(c.Cards, func(card *view.Card) bool { return card.ID() == selected[i] })
		}
		if at >= 0 {
			m.cursors[i].top += at - m.cursors[i].at // it stays where it is on the screen
			m.cursors[i].at = at
		}
	}
	if m.added != "" && m.selectCard(board, m.added) {
		m.added = ""
	}
	if len(m.inColumn().Cards) == 0 {
		m.toFirstColumn()
	}
	m.keepVisible()
}

// toFirstColumn selects the first column with cards.
func (m *model) toFirstColumn() {
	for i, c := range m.board.Columns {
		if len(c.Cards) > 0 {
			m.column = i
			return
		}
	}
}

// inColumn returns the column that the user is in.
func (m *model) inColumn() view.Column { return m.board.Columns[m.column] }

// cardIn returns the card that is selected in a column, nil where there is none.
func (m *model) cardIn(column int) *view.Card {
	if column >= len(m.board.Columns) {
		return nil
	}
	cards, at := m.board.Columns[column].Cards, m.cursors[column].at
	if at >= len(cards) {
		return nil
	}
	return cards[at]
}

// card returns the card that is selected, nil where there is none.
func (m *model) card() *view.Card { return m.cardIn(m.column) }

func idOf(c *view.Card) string {
	if c == nil {
		return ""
	}
	return c.ID()
}

// inPast reports whether an older plan is shown.
func (m *model) inPast() bool { return m.past.at > 0 }
