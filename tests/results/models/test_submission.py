from results.models.submission import ID_ALPHABET, ID_LENGTH, draw_public_id


def test_a_public_id_is_drawn_of_letters_that_nobody_mixes_up():
    drawn = {draw_public_id() for _ in range(200)}
    assert len(drawn) == 200
    assert all(len(one) == ID_LENGTH and set(one) <= set(ID_ALPHABET) for one in drawn)
    assert set("01aeioul").isdisjoint(ID_ALPHABET)
