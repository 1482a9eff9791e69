; Can the midpoint of two non-negative ints be negative?
(declare-const low (_ BitVec 32))
(declare-const high (_ BitVec 32))
(assert (bvsle #x00000000 low))
(assert (bvsle low high))
(assert (bvslt (bvsdiv (bvadd low high) #x00000002) #x00000000))
(check-sat)
(get-value (low high))
